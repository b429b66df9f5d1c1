//! The frame of all pages: head, navigation, footer.

use crate::link::Link;
use campaign::clean::one_line;
use campaign::provenance::VERSION;
use maud::{DOCTYPE, Markup, html};

pub(super) const STYLE: &str = include_str!("../../assets/style.css");
pub(super) const THEME: &str = include_str!("../../assets/theme.js");
pub(super) const APP: &str = include_str!("../../assets/app.js");
pub(super) const PLOT: &str = include_str!("../../assets/plot.js");
pub(super) const ICON: &str = include_str!("../../assets/icon.svg");

/// A page: its title, the pages above it, the address of its events, and its content.
pub(super) struct Frame<'a> {
    pub(super) title: &'a str,
    pub(super) above: &'a [(String, Link)],
    pub(super) events: Option<Link>,
}

impl Frame<'_> {
    pub(super) fn page(&self, content: &Markup) -> Markup {
        let inner = html! {
            a.skip href="#main" { "Skip to the content" }
            header.top {
                a.brand href="/" { "stringent" }
                nav aria-label="Main" {
                    a href="/" { "Campaigns" }
                    a href="/compare" { "Compare" }
                }
                div.tools {
                    @if self.events.is_some() {
                        button #live type="button" hidden aria-pressed="false" title="Stop the updates of this page" { "Live" }
                    }
                    button #theme type="button" hidden { "Colours: automatic" }
                }
            }
            @if !self.above.is_empty() {
                nav.above aria-label="Breadcrumb" { ol { @for (name, link) in self.above { li { a href=(link) { (name) } } } } }
            }
            main #main tabindex="-1" data-events=[self.events.as_ref().map(ToString::to_string)] { (content) }
            footer { "stringent " (VERSION) ". This page only reads. A run is one instance on one solver with one seed." }
            div #announce.unseen role="status" aria-live="polite" {}
        };
        whole(self.title, &inner)
    }
}

/// The pages above a campaign.
pub(super) fn above() -> [(String, Link); 1] {
    [("Campaigns".into(), Link::to("/"))]
}

/// The pages above a page of a campaign.
pub(super) fn path(name: &str) -> [(String, Link); 2] {
    let [all] = above();
    [all, (one_line(name), Link::of(name, ""))]
}

/// A page without navigation.
pub(super) fn bare(title: &str, content: &Markup) -> Markup {
    whole(title, &html! { main #main.bare { (content) } })
}

/// A page that tells why there is no other one.
pub(super) fn problem(title: &str, why: &str) -> Markup {
    let content = html! { h1 { (title) } p { (one_line(why)) } p { a href="/" { "All campaigns" } } };
    Frame { title, above: &[], events: None }.page(&content)
}

fn whole(title: &str, inner: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · stringent" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/report.css";
                link rel="stylesheet" href="/assets/style.css";
                script src="/assets/theme.js" {}
                script src="/assets/plot.js" defer {}
                script src="/assets/app.js" defer {}
            }
            body { (inner) }
        }
    }
}
