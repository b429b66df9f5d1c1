//! Instances of a source as scripts, each ended by a line `; end`: `cargo run --release -p stringent-synth --example source_text SOURCE COUNT`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use stringent_synth::sources::{Library, Material, REGISTRY, make};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, count] = arguments.as_slice() else { return println!("usage: source_text SOURCE COUNT") };
    let Some(source) = REGISTRY.iter().find(|s| s.name == name) else { return println!("no source {name}") };
    let material = Material { rules: Library::shipped(), ..Material::default() };
    let mut wanted = count.parse::<u64>().unwrap_or(1);
    for number in 0.. {
        if wanted == 0 || number > 1_000_000 {
            break;
        }
        if let Some(one) = make(source, &material, 1, number) {
            println!("{}; end", one.text(source.name, "n"));
            wanted -= 1;
        }
    }
}
