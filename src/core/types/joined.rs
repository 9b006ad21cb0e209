//! Lists of two parts, also at compile time.

/// The entries of two parts as one list.
///
/// # Panics
/// If the first part is empty, or the list has not as many places as both parts together.
#[inline]
pub const fn joined<T: Copy, const N: usize>(first: &[T], second: &[T]) -> [T; N] {
    let mut all = [first[0]; N];
    let (front, back) = all.split_at_mut(first.len());
    front.copy_from_slice(first);
    back.copy_from_slice(second);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_in_order() {
        const NAMES: [&str; 3] = joined(&["a", "b"], &["c"]);
        assert_eq!(NAMES, ["a", "b", "c"]);
        assert_eq!(joined::<u8, 2>(&[1], &[2]), [1, 2]);
    }
}
