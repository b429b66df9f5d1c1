//! Diagnostics, notices and reports, as text and JSON.

use crate::input::Input;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use smt::diag::{Diagnostic, Severity, position};
use std::io::{IsTerminal as _, Write as _};

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// One JSON document, for programs.
    Json,
}

/// Writes an error to stderr.
pub(crate) fn error(message: &str) {
    let _ = writeln!(anstream::stderr(), "\x1b[1;31merror\x1b[0m: {message}");
}

/// Writes a notice to stderr.
pub(crate) fn notice(message: &str) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Prints a report on standard output.
pub(crate) fn print(format: Format, report: &dyn lab::Report) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    match format {
        Format::Text => out.write_all(report.text().as_bytes())?,
        Format::Json => writeln!(out, "{:#}", report.json())?,
    }
    Ok(out.flush()?)
}

/// Longer lines are cut around the diagnostic.
const WINDOW: usize = 160;

/// One diagnostic as lines with file, line, column and caret.
pub(crate) fn diagnostic(name: &str, src: &[u8], d: &Diagnostic) -> String {
    let at = position(src, d.span.start as usize);
    let (line, from, to) = excerpt(src, d);
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Notice => Level::INFO.with_name("notice"),
    };
    let path = format!("{name}:{}:{}", at.line, at.column);
    let kind = AnnotationKind::Primary.span(from..to);
    let snippet = Snippet::source(&line).line_start(at.line).fold(false).annotation(kind);
    let mut group = level.primary_title(d.message.as_str()).element(snippet);
    if let Some(hint) = &d.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    format!("{path}: {}", renderer.render(&[group]))
}

/// The line of a diagnostic (cut if long, cleaned of control characters) and the byte range in it to mark.
fn excerpt(src: &[u8], d: &Diagnostic) -> (String, usize, usize) {
    let bom = if src.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let start = (d.span.start as usize).min(src.len()).max(bom);
    let line_start = memchr_rev(&src[..start]).map_or(bom, |i| i + 1);
    let line_end = src[start..].iter().position(|&b| b == b'\n').map_or(src.len(), |i| start + i);
    let line_end =
        if src[line_start..line_end].ends_with(b"\r") { line_end - 1 } else { line_end }.max(start);
    let from = line_start.max(start.saturating_sub(WINDOW / 2));
    let to = line_end.min(start + WINDOW);
    let end = (d.span.end as usize).clamp(start, to);
    let clean = |bytes: &[u8]| -> String {
        String::from_utf8_lossy(bytes)
            .chars()
            .map(|c| if c.is_control() { if c == '\t' { ' ' } else { '\u{FFFD}' } } else { c })
            .collect()
    };
    let mut text = String::new();
    if from > line_start {
        text.push('…');
    }
    text.push_str(&clean(&src[from..start]));
    let mark_from = text.len();
    text.push_str(&clean(&src[start..end]));
    let mark_to = text.len().max(mark_from);
    text.push_str(clean(&src[end..to]).trim_end());
    if to < line_end {
        text.push('…');
    }
    let mark_to = mark_to.min(text.len()).max(mark_from.min(text.len()));
    (text.clone(), mark_from.min(text.len()), mark_to)
}

fn memchr_rev(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|&b| b == b'\n')
}

/// Shows at most `max` diagnostics.
pub(crate) fn diagnostics<'d>(input: &Input, all: impl IntoIterator<Item = &'d Diagnostic>, max: usize) {
    for d in all.into_iter().take(max) {
        notice(&diagnostic(&input.name, &input.bytes, d));
    }
}

/// A diagnostic for `--format json`.
pub(crate) fn json(src: &[u8], d: &Diagnostic) -> serde_json::Value {
    let at = position(src, d.span.start as usize);
    serde_json::json!({
        "severity": match d.severity { Severity::Error => "error", Severity::Notice => "notice" },
        "code": d.code.as_str(),
        "line": at.line,
        "column": at.column,
        "start": d.span.start,
        "end": d.span.end,
        "message": d.message,
        "hint": d.hint,
    })
}
