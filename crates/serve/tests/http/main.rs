//! The live page over HTTP: headers, escaping, tokens, pages, events.

mod client;
mod store;

use campaign::store::Store;
use client::Running;
use store::{Made, NASTY};
use stringent_serve::token::Token;
use stringent_serve::{Options, ServeError, Server};

/// A name in an address.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

/// A page without the values of its controls, which are sent back as they are and not shown.
fn without_values(page: &str) -> String {
    let mut parts = page.split(" value=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once('"').map_or("", |(_, rest)| rest)).collect::<String>()
}

#[test]
fn every_reply_has_the_headers() {
    let made = Made::new();
    let server = Running::start(&[made.path()]);
    let paths = [
        "/",
        "/c/a",
        "/c/none",
        "/c/a/runs?q=x",
        "/compare",
        "/assets/app.js",
        "/assets/style.css",
        "/nothing",
        "/login",
    ];
    for path in paths {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin", "{path}");
        assert!(answer.header("access-control-allow-origin").is_empty(), "{path}");
    }
}

#[test]
fn nothing_in_a_page_is_a_script_or_style_or_comes_from_elsewhere() {
    let made = Made::new();
    let server = Running::start(&[made.path()]);
    server.wait_for("/c/a", "finished");
    for path in ["/", "/c/a", "/c/a/runs", "/compare?old=a&new=a"] {
        let body = server.get(path).body;
        for bad in ["<style", " style=", " onclick=", "javascript:", "src=\"http", "href=\"http"] {
            assert!(!body.contains(bad), "{path} has {bad}");
        }
        assert_eq!(body.matches("<script").count(), 3, "{path}");
        assert_eq!(body.matches("<script src=\"/assets/").count(), 3, "{path}");
    }
    for asset in [
        "/assets/app.js",
        "/assets/plot.js",
        "/assets/theme.js",
        "/assets/style.css",
        "/assets/report.css",
        "/assets/icon.svg",
    ] {
        let answer = server.get(asset);
        assert_eq!(answer.status, 200, "{asset}");
        let foreign = answer.body.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{asset}");
    }
}

#[test]
fn hostile_texts_are_shown_and_not_interpreted() {
    let made = Made::new();
    let server = Running::start(&[made.path()]);
    server.wait_for("/c/a", "finished");
    let run =
        format!("/c/a/run?instance={}&solver={}&seed=0", encoded(&format!("n{NASTY}")), encoded("s<b>"));
    let group = format!(
        "/c/a/group?solver={}&kind=wrong-unsat&subject={}",
        encoded("s<b>"),
        encoded(&format!("o{NASTY}"))
    );
    let answer = server.get(&run);
    assert_eq!(answer.status, 200, "{}", answer.body);
    // The solver printed it, the evidence has it, and so does the formula.
    assert!(answer.body.matches("&lt;script&gt;alert(1)").count() >= 4, "{}", answer.body);
    assert_eq!(server.get(&group).status, 200);
    for path in ["/", "/c/a", "/c/a/runs", "/c/a/runs?in=all&q=script", "/compare", &run, &group] {
        let body = without_values(&server.get(path).body);
        for bad in ["<script>", "<b>x", "<img", "\u{1b}", "\u{202e}", "s<b>"] {
            assert!(!body.contains(bad), "{path} has {bad:?}");
        }
    }
    let echoed = server.get(&format!("/c/a/runs?q={0}&verdict={0}&solver={0}&after={0}", encoded(NASTY)));
    assert_eq!(echoed.status, 200);
    assert!(!echoed.body.contains("<script>alert"), "{}", echoed.body);
    let json = server.get(&format!("/c/a/scatter?a={}&b=t", encoded("s<b>")));
    assert_eq!((json.status, json.header("content-type")), (200, "application/json"));
    let mut events = server.events("/c/a/events");
    events.until("\n\n");
    assert!(events.text.contains("&lt;") && !events.text.contains("<script>"), "{}", events.text);
}

#[test]
fn names_of_others_are_refused() {
    let made = Made::new();
    let server = Running::with(&[made.path()], None, &["lab.example"]);
    let status = |host: &str| {
        server.ask(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).status
    };
    assert_eq!(status("evil.example"), 421);
    assert_eq!(status("localhost.evil.example"), 421);
    assert_eq!(status("10.1.2.3"), 421);
    assert_eq!(
        [status("localhost:1234"), status("127.0.0.1"), status("[::1]:80"), status("Lab.Example")],
        [200; 4]
    );
    assert_eq!(server.ask("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").status, 421);
    assert_eq!(
        server
            .ask("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .status,
        421
    );
}

#[test]
fn it_only_reads() {
    let made = Made::new();
    let server = Running::start(&[made.path()]);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let request = format!(
            "{method} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(server.ask(&request).status, 405, "{method}");
    }
    let head = server.ask("HEAD /c/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[test]
fn a_token_opens_the_pages() {
    let made = Made::new();
    let secret = "a-secret-of-some-length";
    let server = Running::with(&[made.path()], Some(Token::chosen(secret).expect("long enough")), &[]);
    for path in ["/", "/c/a", "/events", "/c/a/events", "/c/a/scatter?a=t&b=t", "/compare/changes", "/login"]
    {
        let answer = server.get(path);
        assert_eq!(answer.status, 401, "{path}");
        assert!(!answer.body.contains("campaign-"), "{path}");
    }
    assert_eq!(server.get("/assets/style.css").status, 200);
    assert_eq!(server.get("/login?token=wrong").status, 401);
    let welcome = server.get(&format!("/login?token={secret}"));
    assert_eq!((welcome.status, welcome.header("location")), (303, "/"));
    let cookie = welcome.header("set-cookie").to_owned();
    assert!(cookie.contains("; HttpOnly; SameSite=Lax") && !cookie.contains(secret), "{cookie}");
    let value = cookie.split(';').next().expect("a pair").to_owned();
    assert_eq!(server.get_with("/", &format!("Cookie: {value}\r\n")).status, 200);
    assert_eq!(server.get_with("/", &format!("Authorization: Bearer {secret}\r\n")).status, 200);
    assert_eq!(server.get_with("/", "Authorization: Bearer a-secret-of-some-lengtH\r\n").status, 401);
    let form = format!("token={secret}");
    let post = |body: &str| {
        let length = body.len();
        server.ask(&format!("POST /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"))
    };
    assert_eq!(post(&form).status, 303);
    assert_eq!(post("token=nothing-like-it").status, 401);
    assert_eq!(post(&"x".repeat(100_000)).status, 413);
}

#[test]
fn a_form_that_does_not_arrive_is_given_up() {
    let made = Made::new();
    let server = Running::with(&[made.path()], Some(Token::chosen("0123456789abcdef").expect("long")), &[]);
    let head = "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\ntoken=";
    assert_eq!(server.ask(head).status, 408);
    assert_eq!(server.ask("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").status, 401);
}

#[test]
fn other_machines_need_a_token() {
    let listen = "0.0.0.0:0".parse().expect("an address");
    let options = Options { places: Vec::new(), listen, hosts: Vec::new(), token: None };
    assert!(matches!(Server::bind(options), Err(ServeError::NoToken(_))));
}

#[test]
fn what_is_not_there_is_not_found() {
    let made = Made::new();
    let server = Running::start(&[made.path()]);
    server.wait_for("/c/a", "finished");
    let missing = [
        "/nothing",
        "/c",
        "/c/",
        "/c/none",
        "/c/a/nothing",
        "/c/a/runs/x",
        "/c/none/events",
        "/c/a/bug?number=1",
        "/c/a/run?instance=none&solver=t&seed=0",
        "/c/a/run",
        "/c/a/run?instance=x&solver=t&seed=99999999999999999999",
        "/c/a/group",
        "/c/a/group?solver=t&kind=odd&subject=x",
        "/c/a/scatter?a=none&b=t",
        "/c/../../etc/passwd",
        "/c/..%2f..%2fetc%2fpasswd",
        "/assets/../Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/%2e%2e/x",
        "/compare?old=none&new=a",
        "/c/%00",
        "/c/a%00",
        "/c/a/run?instance=%00%FF&solver=%00",
    ];
    for path in missing {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.contains("root:"), "{path}");
    }
    assert_eq!(server.get("/c/a/bug").status, 400);
    let long = "x".repeat(20_000);
    assert_eq!(server.get(&format!("/c/a/runs?q={long}")).status, 414);
    assert!([400, 414, 431].contains(&server.get(&format!("/{}", "x".repeat(200_000))).status));
    for odd in
        ["/c/a/runs?after=x", "/c/a/runs?after=1.1.1&verdict=odd&q=%25_%27", "/c/a/runs?&&&===&q", "/?x=%"]
    {
        assert_eq!(server.get(odd).status, 200, "{odd}");
    }
    for broken in ["GET / HTTP/9.9\r\n\r\n", "GET\r\n\r\n", "\u{1}\u{2}\r\n\r\n"] {
        assert!([0, 400, 505].contains(&server.ask(broken).status), "{broken:?}");
    }
}

#[test]
fn runs_are_filtered_and_paged() {
    let made = Made::with_big();
    let server = Running::start(&[made.path()]);
    server.wait_for("/c/big", "finished");
    let mut next = Some("/c/big/runs?solver=solver-3".to_owned());
    let (mut pages, mut rows) = (0, 0);
    while let Some(path) = next {
        let body = server.get(&path).body;
        rows += body.matches("<td class=\"name\">").count();
        pages += 1;
        next = body
            .split("rel=\"next\" href=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .map(|l| l.replace("&amp;", "&"));
    }
    assert!(pages > 1, "{pages}");
    assert_eq!(rows, made.runs("solver-3"));
    let named = server.get("/c/big/runs?q=00000007");
    assert!(named.body.contains("40 runs."), "{}", named.body);
    let text = server.get("/c/big/runs?in=all&q=SIGNAL%2011");
    assert!(text.body.contains("0 runs.") || text.body.contains("Search on"), "{}", text.body);
    let inside = server.get("/c/big/runs?in=all&q=stringent%20no%20such%20text&solver=solver-1");
    assert_eq!(inside.status, 200);
}

#[test]
fn groups_and_plots_have_all_runs() {
    let made = Made::with_big();
    let server = Running::start(&[made.path()]);
    let page = server.wait_for("/c/big", "finished");
    let group = page
        .body
        .split("href=\"/c/big/group?")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a group");
    let answer = server.get(&format!("/c/big/group?{}", group.replace("&amp;", "&")));
    assert!(
        answer.body.contains("The smallest: ") && answer.body.contains("stringent repro "),
        "{}",
        answer.body
    );
    let scatter = server.get("/c/big/scatter?a=solver-1&b=solver-2").body;
    assert!(scatter.contains("\"dots\":[[") && scatter.contains("Both solve"), "{scatter}");
    assert_eq!(server.get("/c/big/scaling").body, "{\"limit\":15.0,\"curves\":[]}");
}

#[test]
fn a_comparison_is_made_in_the_background() {
    let made = Made::with_big();
    let server = Running::start(&[made.path()]);
    server.wait_for("/c/a", "finished");
    server.wait_for("/c/b", "not finished");
    let page = server.get("/compare?old=a&new=b");
    assert!(page.body.contains("Totals"), "{}", page.body);
    let done = server.wait_for("/compare/changes?old=a&new=b", "Comparison");
    assert!(done.body.contains("only in the new") || done.body.contains("Now:"), "{}", done.body);
    assert!(server.get("/compare?old=a&new=a").body.contains("one campaign"));
    let apart = server.wait_for("/compare/changes?old=a&new=big", "in common");
    assert_eq!(apart.status, 200);
}

#[test]
fn a_growing_store_is_shown_as_it_grows() {
    let mut made = Made::new();
    let server = Running::start(&[made.path()]);
    let mut campaign = server.events("/c/b/events");
    let mut all = server.events("/events");
    campaign.until("1 of 6 runs");
    all.until("1 of 6 runs");
    made.grow(2);
    campaign.until("2 of 6 runs");
    all.until("2 of 6 runs");
    made.grow(3);
    campaign.until("3 of 6 runs");
    // Later events have only what has changed: the table of what is not solved has not.
    assert_eq!(campaign.text.matches("\"others\":").count(), 1, "{}", campaign.text);
    made.finish();
    campaign.until("s-done");
}

#[test]
fn a_store_that_cannot_be_read_does_not_hide_the_others() {
    let made = Made::new();
    std::fs::write(made.path().join("broken.store"), "not a database, but long enough to be looked at")
        .expect("written");
    let server = Running::start(&[made.path()]);
    server.wait_for("/", "not a database");
    server.wait_for("/c/a", "finished");
    assert_eq!(server.get("/c/broken").status, 404);
    std::fs::copy(made.path().join("a.store"), made.path().join("later.store")).expect("copied");
    server.wait_for("/", "id=\"campaign-later\"");
    std::fs::remove_file(made.path().join("broken.store")).expect("removed");
    let gone = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while server.get("/").body.contains("campaign-broken") {
        assert!(std::time::Instant::now() < gone);
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn a_store_that_is_replaced_or_removed_is_not_shown_as_it_was() {
    let made = Made::new();
    let (a, b) = (made.path().join("a.store"), made.path().join("b.store"));
    let server = Running::start(&[a.as_path()]);
    server.wait_for("/c/a", "finished");
    let run = format!("/c/a/run?instance={}&solver=t&seed=0", encoded("grows/1"));
    assert_eq!(server.get(&run).status, 404);
    // A campaign of the same name is started again.
    std::fs::remove_file(&a).expect("removed");
    Store::open_read_only(&b).expect("opened").copy_to(&a, &mut |_| {}).expect("copied");
    server.wait_for("/c/a", "1 of 6 runs");
    assert_eq!(server.get(&run).status, 200);
    std::fs::remove_file(&a).expect("removed");
    server.wait_for("/c/a", "unable to open");
}
