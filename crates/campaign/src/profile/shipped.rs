//! The profiles that come with the program.

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        /// Their names and texts, in the order in which the default solver is chosen.
        pub const SHIPPED: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../profiles/", $name, ".toml")))),*];
    };
}

shipped![
    "builtin",
    "cvc5",
    "z3",
    "cvc4",
    "z3str3",
    "z3-noodler",
    "ostrich",
    "oxiz",
    "z3rs",
    "z3str2",
    "norn",
    "mt-abc",
    "generic"
];
