//! Lists as people type them: entries between commas, some of them values of TOML with commas of their own.

/// The entries of a list, without blanks around them; commas in brackets, braces and quotes separate none.
pub fn entries(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted) = (0_i32, false);
    let separates = |letter: char| {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0 && !quoted
    };
    text.split(separates).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn commas_inside_of_a_value_do_not_end_it() {
        for (text, found) in [
            ("a, b ,c", &["a", "b", "c"][..]),
            ("[4, 3], {x = 1, y = [2, 3]}", &["[4, 3]", "{x = 1, y = [2, 3]}"]),
            ("\"a,]b\",c", &["\"a,]b\"", "c"]),
            ("[a, b", &["[a, b"]),
            ("a,,", &["a", "", ""]),
            ("", &[""]),
        ] {
            assert_eq!(entries(text), found, "{text}");
        }
    }
}
