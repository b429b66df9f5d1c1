//! The plot of a search beside other solvers, after Figure 4.4 of the thesis: for each best script, the time of every solver.

use super::best::Best;
use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const BASE: f64 = HEIGHT - 46.0;
const TOP: f64 = 34.0;
const COLOURS: [&str; 6] = ["#0b6bcb", "#c9520a", "#2a8a3a", "#8a3ab9", "#b8860b", "#555555"];

/// An SVG of its own: the best scripts from left to right, the times of solvers as dots, hollow at the limit.
pub(super) fn best_scripts(best: &[Best], target: &str, limit: f64) -> String {
    let mut names = vec![target.to_owned()];
    names.extend(best.first().into_iter().flat_map(|c| c.others.iter().map(|(n, _)| n.clone())));
    let low: f64 = 0.001;
    let y = |t: f64| BASE - ((t.max(low) / low).ln() / (limit.max(0.01) / low).ln()).min(1.0) * (BASE - TOP);
    let step = (WIDTH - LEFT - 20.0) / best.len() as f64;
    let x = |i: usize, s: usize| {
        LEFT + step * (i as f64 + 0.5) + (s as f64 - (names.len() as f64 - 1.0) / 2.0) * (step / 6.0).min(9.0)
    };
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\" role=\"img\"><title>Times on scripts evolved for {}</title>\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        escape(target)
    );
    let mut power = -3;
    while 10f64.powi(power) <= limit {
        let t = 10f64.powi(power);
        let name = if power < 0 { format!("{} ms", (t * 1000.0).round()) } else { format!("{t} s") };
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {0:.1}H{1}\" stroke=\"#ddd\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{name}</text>",
            y(t),
            WIDTH - 20.0,
            LEFT - 6.0,
            y(t) + 4.0
        );
        power += 1;
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{LEFT} {0:.1}H{1}\" stroke=\"#999\" stroke-dasharray=\"4 3\"/><text x=\"{1}\" y=\"{2:.1}\" \
         text-anchor=\"end\" fill=\"#666\">limit {limit} s</text>",
        y(limit),
        WIDTH - 20.0,
        y(limit) - 4.0
    );
    for (i, c) in best.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            LEFT + step * (i as f64 + 0.5),
            BASE + 16.0,
            c.run + 1
        );
        let all = std::iter::once(&c.member.found).chain(c.others.iter().map(|(_, f)| f));
        for (s, found) in all.enumerate() {
            let colour = COLOURS[s % COLOURS.len()];
            let (cx, cy) = (x(i, s), y(found.time));
            let fill = if found.at_limit { "white" } else { colour };
            if found.unfit.is_some() {
                let _ = writeln!(
                    svg,
                    "<text x=\"{cx:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">×</text>",
                    cy + 4.0
                );
            } else {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
                );
            }
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">scripts evolved for {} (hollow: at the limit, ×: error)</text>",
        LEFT.midpoint(WIDTH - 20.0),
        HEIGHT - 10.0,
        escape(target)
    );
    let mut at = LEFT;
    for (s, name) in names.iter().enumerate() {
        let colour = COLOURS[s % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"13\" r=\"4\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"17\">{}</text>",
            at + 4.0,
            at + 12.0,
            escape(name)
        );
        at += 30.0 + name.len() as f64 * 6.5;
    }
    svg.push_str("</svg>\n");
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
