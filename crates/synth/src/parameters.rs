//! Parameters that are also flags: a struct whose fields have names, help and defaults, readable by a command line
//! that is independent of the generator.

/// A flag of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name, without dashes.
    pub name: &'static str,
    /// The placeholder of its value; empty for a switch.
    pub value: &'static str,
    /// A description.
    pub help: &'static str,
    /// It takes no value.
    pub switch: bool,
    /// It may be given more than once.
    pub many: bool,
    /// The possible values of an enumeration.
    pub choices: &'static [&'static str],
    /// Its default, as on the command line.
    pub default: Option<String>,
}

/// A struct of parameters.
pub trait Parameters {
    /// Its flags, with their defaults.
    fn flags(&self) -> Vec<Flag>;
    /// Sets a parameter from text; the error is a message for the user.
    fn set(&mut self, flag: &str, value: &str) -> Result<(), String>;
    /// The parameters that are not the defaults; a switch has no value.
    fn given(&self) -> Vec<(&'static str, Option<String>)>;
}

/// The type of a parameter.
pub trait Setting: Sized {
    /// It takes no value.
    const SWITCH: bool = false;
    /// Each value adds to those before.
    const MANY: bool = false;
    /// The possible values of an enumeration.
    const CHOICES: &'static [&'static str] = &[];
    /// Takes a value.
    fn take(&mut self, text: &str) -> Result<(), String>;
    /// The value as on the command line, if there is one.
    fn show(&self) -> Option<String>;
}

impl Setting for u64 {
    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse().map_err(|_| format!("`{text}` is not a natural number"))?;
        Ok(())
    }

    fn show(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Setting for Option<u64> {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let mut n = 0u64;
        n.take(text)?;
        *self = Some(n);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.map(|n| n.to_string())
    }
}

/// A probability.
impl Setting for f64 {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let p: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
        if !(0.0..=1.0).contains(&p) {
            return Err(format!("`{text}` is not between 0 and 1"));
        }
        *self = p;
        Ok(())
    }

    fn show(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Setting for bool {
    const SWITCH: bool = true;

    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = text == "true";
        Ok(())
    }

    fn show(&self) -> Option<String> {
        None
    }
}

impl Setting for Option<String> {
    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = Some(text.to_owned());
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.as_deref().map(shell)
    }
}

/// An argument for a shell: quoted if it has anything but letters, digits and a few punctuation characters.
pub fn shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An enumeration of names.
macro_rules! choice {
    ($(#[$m:meta])* pub enum $name:ident { $($(#[$vm:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$vm])* $variant,)+ }

        impl $crate::parameters::Setting for $name {
            const CHOICES: &'static [&'static str] = &[$($text),+];

            fn take(&mut self, text: &str) -> Result<(), String> {
                *self = match text {
                    $($text => $name::$variant,)+
                    _ => return Err(format!("`{text}` is not one of {}", Self::CHOICES.join(", "))),
                };
                Ok(())
            }

            fn show(&self) -> Option<String> {
                Some(match self { $($name::$variant => $text,)+ }.to_owned())
            }
        }
    };
}

/// A struct of parameters with their flags: `field: type = default, "flag" "VALUE";`, the help is the comment.
macro_rules! parameters {
    ($(#[$m:meta])* pub struct $name:ident {
        $($(#[doc = $help:literal])+ $field:ident: $ty:ty = $default:expr, $flag:literal $value:literal;)*
    }) => {
        $(#[$m])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[doc = $help])+ pub $field: $ty,)* }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::parameters::Parameters for $name {
            fn flags(&self) -> Vec<$crate::parameters::Flag> {
                use $crate::parameters::{Flag, Setting};
                let defaults = $name::default();
                vec![$(Flag {
                    name: $flag,
                    value: $value,
                    help: concat!($($help),+).trim(),
                    switch: <$ty as Setting>::SWITCH,
                    many: <$ty as Setting>::MANY,
                    choices: <$ty as Setting>::CHOICES,
                    default: Setting::show(&defaults.$field),
                },)*]
            }

            fn set(&mut self, flag: &str, value: &str) -> Result<(), String> {
                use $crate::parameters::Setting;
                match flag {
                    $($flag => Setting::take(&mut self.$field, value),)*
                    _ => Err(format!("no flag `{flag}`")),
                }
            }

            fn given(&self) -> Vec<(&'static str, Option<String>)> {
                use $crate::parameters::Setting;
                let defaults = $name::default();
                let mut out = Vec::new();
                $(if self.$field != defaults.$field {
                    out.push(($flag, Setting::show(&self.$field)));
                })*
                out
            }
        }
    };
}

pub(crate) use {choice, parameters};
