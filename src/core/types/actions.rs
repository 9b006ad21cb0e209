//! Where legal actions go: a buffer that is owned by the caller, of fixed size, never on the heap; or, for
//! who reads no list, a count of them, or one entry.

use arrayvec::ArrayVec;

/// No game lists more actions than this at one decision; each game asserts it of its own bound.
pub const ACTIONS_CAP: usize = 3072;

/// Legal actions in a fixed order, without duplicates.
pub type Actions<A> = ArrayVec<A, ACTIONS_CAP>;

/// What the rules put legal actions into, one after the other.
pub trait Listing<A> {
    /// One more.
    fn one(&mut self, action: A);

    /// Some that are made on the way; `actions` has `count` of them.
    fn each(&mut self, count: usize, actions: impl Iterator<Item = A>);

    /// Some that are at hand; `lists` have `count` of them together, and `at` finds the one at a place among them.
    fn all<'a>(
        &mut self,
        count: usize,
        lists: impl Iterator<Item = &'a [A]>,
        at: impl FnOnce(usize) -> A,
    ) where
        A: 'a;

    /// Some that are made of items at hand, one of each: see [`Listing::all`].
    #[inline]
    fn made<'a, T: Copy + 'a>(
        &mut self,
        count: usize,
        lists: impl Iterator<Item = &'a [T]>,
        _at: impl FnOnce(usize) -> T,
        make: impl Fn(T) -> A,
    ) {
        self.each(count, made_of(lists.flat_map(|list| list.iter().copied()), make));
    }

    /// A part of the list that has `count` actions; it need not be made if none of them is read.
    #[inline]
    fn part(&mut self, count: usize, list: impl FnOnce(&mut Self)) {
        let _ = count;
        list(self);
    }

    /// Whether nobody reads what is still to come, so that it can be left out.
    #[inline]
    fn is_done(&self) -> bool {
        false
    }
}

/// What may be chosen: as much of it as takes work to find out. Its list may be asked for more than once.
pub trait Choices<A: Copy> {
    /// Adds the actions, always the same.
    fn list(&self, out: &mut impl Listing<A>);

    /// One of the actions, and how many there are. If there are several, `place` chooses one by its place.
    ///
    /// # Panics
    /// If there is no action at that place.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn draw(&self, place: impl FnOnce(usize) -> usize) -> (A, usize) {
        let mut count = Count::default();
        self.list(&mut count);
        let Count(count) = count;
        let mut entry = Entry::at(if count == 1 { 0 } else { place(count) });
        self.list(&mut entry);
        (entry.found().expect("a place of the list"), count)
    }
}

/// Actions made of items, one of each. Unlike those of [`Iterator::map`], they can be skipped as fast as the items.
#[inline]
pub fn made_of<T, A>(
    items: impl Iterator<Item = T>,
    make: impl FnMut(T) -> A,
) -> impl Iterator<Item = A> {
    Made { items, make }
}

/// See [`made_of`].
struct Made<I, F> {
    items: I,
    make: F,
}

impl<I: Iterator, A, F: FnMut(I::Item) -> A> Iterator for Made<I, F> {
    type Item = A;

    #[inline]
    fn next(&mut self) -> Option<A> {
        self.items.next().map(&mut self.make)
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<A> {
        self.items.nth(skipped).map(&mut self.make)
    }
}

/// A list. It panics if there are more than [`ACTIONS_CAP`].
impl<A: Copy> Listing<A> for Actions<A> {
    #[inline]
    fn one(&mut self, action: A) {
        self.push(action);
    }

    #[inline]
    fn each(&mut self, _count: usize, actions: impl Iterator<Item = A>) {
        self.extend(actions);
    }

    #[inline]
    fn all<'a>(
        &mut self,
        _count: usize,
        lists: impl Iterator<Item = &'a [A]>,
        _at: impl FnOnce(usize) -> A,
    ) where
        A: 'a,
    {
        for actions in lists {
            self.try_extend_from_slice(actions).expect("within ACTIONS_CAP");
        }
    }

    #[inline]
    fn made<'a, T: Copy + 'a>(
        &mut self,
        _count: usize,
        lists: impl Iterator<Item = &'a [T]>,
        _at: impl FnOnce(usize) -> T,
        make: impl Fn(T) -> A,
    ) {
        // Eight at a time, which takes far fewer instructions than one after the other.
        for items in lists {
            let (eights, rest) = items.as_chunks::<8>();
            for eight in eights {
                self.try_extend_from_slice(&eight.map(&make)).expect("within ACTIONS_CAP");
            }
            self.extend(rest.iter().map(|&item| make(item)));
        }
    }
}

/// How many there are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Count(pub usize);

impl<A> Listing<A> for Count {
    #[inline]
    fn one(&mut self, _action: A) {
        self.0 += 1;
    }

    #[inline]
    fn each(&mut self, count: usize, _actions: impl Iterator<Item = A>) {
        self.0 += count;
    }

    #[inline]
    fn all<'a>(
        &mut self,
        count: usize,
        _lists: impl Iterator<Item = &'a [A]>,
        _at: impl FnOnce(usize) -> A,
    ) where
        A: 'a,
    {
        self.0 += count;
    }

    #[inline]
    fn part(&mut self, count: usize, _list: impl FnOnce(&mut Count)) {
        self.0 += count;
    }
}

/// The entry at a place of the list.
#[derive(Debug, Clone, Copy)]
pub struct Entry<A> {
    /// Entries that come before it; it wraps around once it has come, and no list is that long.
    before: usize,
    found: Option<A>,
}

impl<A> Entry<A> {
    /// The entry at `place`, from 0; not yet found.
    #[inline]
    pub const fn at(place: usize) -> Entry<A> {
        Entry { before: place, found: None }
    }

    /// The entry, if the list was long enough.
    #[inline]
    pub fn found(self) -> Option<A> {
        self.found
    }
}

impl<A: Copy> Listing<A> for Entry<A> {
    #[inline]
    fn one(&mut self, action: A) {
        if self.before == 0 {
            self.found = Some(action);
        }
        self.before = self.before.wrapping_sub(1);
    }

    #[inline]
    fn each(&mut self, count: usize, mut actions: impl Iterator<Item = A>) {
        if self.before < count {
            self.found = actions.nth(self.before);
        }
        self.before = self.before.wrapping_sub(count);
    }

    #[inline]
    fn all<'a>(
        &mut self,
        count: usize,
        _lists: impl Iterator<Item = &'a [A]>,
        at: impl FnOnce(usize) -> A,
    ) where
        A: 'a,
    {
        if self.before < count {
            self.found = Some(at(self.before));
        }
        self.before = self.before.wrapping_sub(count);
    }

    #[inline]
    fn made<'a, T: Copy + 'a>(
        &mut self,
        count: usize,
        _lists: impl Iterator<Item = &'a [T]>,
        at: impl FnOnce(usize) -> T,
        make: impl Fn(T) -> A,
    ) {
        self.all(count, std::iter::empty(), |place| make(at(place)));
    }

    #[inline]
    fn part(&mut self, count: usize, list: impl FnOnce(&mut Entry<A>)) {
        if self.before < count {
            list(self);
        } else {
            self.before = self.before.wrapping_sub(count);
        }
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.found.is_some()
    }
}

/// A list of one kind of actions that is part of a list of another kind.
#[derive(Debug)]
pub struct Part<'a, L, F> {
    whole: &'a mut L,
    wrap: F,
}

impl<'a, L, F> Part<'a, L, F> {
    /// What is put into it goes into the whole, wrapped.
    #[inline]
    pub fn of(whole: &'a mut L, wrap: F) -> Part<'a, L, F> {
        Part { whole, wrap }
    }
}

impl<A: Copy, B, L: Listing<B>, F: Fn(A) -> B> Listing<A> for Part<'_, L, F> {
    #[inline]
    fn one(&mut self, action: A) {
        self.whole.one((self.wrap)(action));
    }

    #[inline]
    fn each(&mut self, count: usize, actions: impl Iterator<Item = A>) {
        self.whole.each(count, made_of(actions, &self.wrap));
    }

    #[inline]
    fn all<'a>(
        &mut self,
        count: usize,
        lists: impl Iterator<Item = &'a [A]>,
        at: impl FnOnce(usize) -> A,
    ) where
        A: 'a,
    {
        self.whole.made(count, lists, at, &self.wrap);
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.whole.is_done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(out: &mut impl Listing<u8>) {
        out.one(7);
        out.each(3, 10..13);
        out.each(0, 0..0);
        out.all(0, std::iter::empty(), |place| panic!("nothing at {place}"));
        out.all(3, [&[20][..], &[], &[21, 22]].into_iter(), |place| [20, 21, 22][place]);
        let long: Vec<u8> = (40..59).collect();
        out.all(19, [&long[..1], &long[1..]].into_iter(), |place| long[place]);
        out.part(2, |out| {
            out.one(30);
            out.each(1, 31..32);
        });
        out.one(8);
    }

    #[test]
    fn counts_and_entries_are_those_of_the_list() {
        let mut all = Actions::new();
        list(&mut all);
        let long = 40..59;
        let due = [7, 10, 11, 12, 20, 21, 22].into_iter().chain(long).chain([30, 31, 8]);
        assert!(due.eq(all.iter().copied()));
        let mut count = Count::default();
        list(&mut count);
        assert_eq!(count.0, all.len());
        for (place, &action) in all.iter().enumerate() {
            let mut entry = Entry::at(place);
            list(&mut entry);
            assert_eq!(entry.found(), Some(action));
        }
        let mut entry = Entry::at(all.len());
        list(&mut entry);
        assert_eq!(entry.found(), None, "past the end");
    }

    #[test]
    fn a_part_of_a_list_is_the_list_wrapped() {
        let mut all = Actions::new();
        list(&mut all);
        let wrap = |number| (number, true);
        let mut whole = Actions::new();
        list(&mut Part::of(&mut whole, wrap));
        assert!(whole.iter().copied().eq(all.iter().map(|&number| (number, true))));
        let mut count = Count::default();
        list(&mut Part::of(&mut count, wrap));
        assert_eq!(count.0, all.len());
        for (place, &number) in all.iter().enumerate() {
            let mut entry = Entry::at(place);
            list(&mut Part::of(&mut entry, wrap));
            assert_eq!(entry.found(), Some((number, true)));
        }
    }
}
