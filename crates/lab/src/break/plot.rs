//! The plot of a search and other solvers, after Figure 4.4 of the thesis: for each best script, the time of every solver.

use super::best::Best;
use super::fitness::Found;
use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = WIDTH - 20.0;
const BASE: f64 = HEIGHT - 46.0;
const TOP: f64 = 34.0;
/// The lower end of the axis, in seconds.
const LOW: f64 = 0.001;
const COLOURS: [&str; 6] = ["#0b6bcb", "#c9520a", "#2a8a3a", "#8a3ab9", "#b8860b", "#555555"];

/// A complete SVG: the best scripts from left to right, the times of solvers as dots, hollow at the limit.
pub(super) fn best_scripts(best: &[Best], target: &str, limit: f64) -> String {
    let others = best.first().into_iter().flat_map(|b| b.others.iter().map(|(name, _)| name.as_str()));
    let names: Vec<&str> = std::iter::once(target).chain(others).collect();
    let target = &escape(target);
    let mut plot =
        Plot { svg: String::new(), limit, step: (RIGHT - LEFT) / best.len() as f64, names: &names };
    plot.line(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\" role=\"img\"><title>Times on scripts evolved for {target}</title>\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    ));
    plot.axis();
    for (i, b) in best.iter().enumerate() {
        plot.script(i, b);
    }
    plot.line(&format!(
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">scripts evolved for {target} (hollow: at the limit, ×: error)</text>",
        LEFT.midpoint(RIGHT),
        HEIGHT - 10.0
    ));
    plot.legend();
    plot.svg + "</svg>\n"
}

struct Plot<'a> {
    svg: String,
    limit: f64,
    /// The width of a script.
    step: f64,
    names: &'a [&'a str],
}

impl Plot<'_> {
    fn line(&mut self, text: &str) {
        self.svg.push_str(text);
        self.svg.push('\n');
    }

    /// The height of a time, on a logarithmic scale.
    fn y(&self, time: f64) -> f64 {
        let share = (time.max(LOW) / LOW).ln() / (self.limit.max(0.01) / LOW).ln();
        BASE - share.min(1.0) * (BASE - TOP)
    }

    /// The position of a solver on a script.
    fn x(&self, script: usize, solver: usize) -> f64 {
        let middle = (self.names.len() as f64 - 1.0) / 2.0;
        self.middle(script) + (solver as f64 - middle) * (self.step / 6.0).min(9.0)
    }

    fn middle(&self, script: usize) -> f64 {
        LEFT + self.step * (script as f64 + 0.5)
    }

    /// Lines at powers of ten, and at the limit.
    fn axis(&mut self) {
        let limit = self.limit;
        for power in (-3..).take_while(|p| 10f64.powi(*p) <= limit) {
            let t = 10f64.powi(power);
            let name = if power < 0 { format!("{} ms", (t * 1000.0).round()) } else { format!("{t} s") };
            let (y, left) = (self.y(t), LEFT - 6.0);
            self.line(&format!(
                "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#ddd\"/><text x=\"{left}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{name}</text>",
                y + 4.0
            ));
        }
        let y = self.y(limit);
        self.line(&format!(
            "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#999\" stroke-dasharray=\"4 3\"/><text x=\"{RIGHT}\" \
             y=\"{:.1}\" text-anchor=\"end\" fill=\"#666\">limit {limit} s</text>",
            y - 4.0
        ));
    }

    /// The times of all solvers on a script.
    fn script(&mut self, i: usize, best: &Best) {
        let (x, y, run) = (self.middle(i), BASE + 16.0, best.run + 1);
        self.line(&format!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{run}</text>"));
        let all = std::iter::once(&best.member.found).chain(best.others.iter().map(|(_, f)| f));
        for (s, found) in all.enumerate() {
            self.mark(self.x(i, s), COLOURS[s % COLOURS.len()], found);
        }
    }

    fn mark(&mut self, x: f64, colour: &str, found: &Found) {
        let y = self.y(found.time);
        let fill = if found.at_limit { "white" } else { colour };
        let mark = match found.unfit {
            Some(_) => format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">×</text>",
                y + 4.0
            ),
            None => format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
            ),
        };
        self.line(&mark);
    }

    fn legend(&mut self) {
        let mut at = LEFT;
        for (s, name) in self.names.iter().enumerate() {
            let colour = COLOURS[s % COLOURS.len()];
            let _ = writeln!(
                self.svg,
                "<circle cx=\"{:.1}\" cy=\"13\" r=\"4\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"17\">{}</text>",
                at + 4.0,
                at + 12.0,
                escape(name)
            );
            at += 30.0 + name.len() as f64 * 6.5;
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
