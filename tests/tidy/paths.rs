//! The paths `crate::…` that a source names, by parsing it.

use crate::Source;
use proc_macro2::{Span, TokenStream};
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Macro, Path, UseTree};

/// A path without its `crate`, and the line that it stands in.
pub type Named = (usize, Vec<String>);

/// What the package of conformance names by itself; all else in it is the engine's.
const CONFORMANCE: &str = "catanatron";

/// All paths in the code of a source of the program; none in a file of tests, nor in an inline module of tests.
pub fn named(source: &Source) -> Vec<Named> {
    if !source.is_program() {
        return Vec::new();
    }
    let file =
        syn::parse_file(&source.text).unwrap_or_else(|fault| panic!("{}: {fault}", source.path));
    let mut paths = Paths::default();
    paths.visit_file(&file);
    for (_, path) in paths.0.iter_mut().filter(|(_, path)| path[0] == CONFORMANCE) {
        path.insert(0, "conformance".to_owned());
    }
    paths.0
}

#[derive(Default)]
struct Paths(Vec<Named>);

impl Paths {
    fn add(&mut self, at: Span, path: &[String]) {
        if let Some((first, rest)) = path.split_first()
            && first == "crate"
            && !rest.is_empty()
        {
            self.0.push((at.start().line, rest.to_vec()));
        }
    }

    fn add_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.add_tree(&with(path.ident.to_string()), &path.tree),
            UseTree::Name(name) if name.ident == "self" => self.add(name.ident.span(), before),
            UseTree::Name(name) => self.add(name.ident.span(), &with(name.ident.to_string())),
            UseTree::Rename(name) => self.add(name.ident.span(), &with(name.ident.to_string())),
            UseTree::Glob(glob) => self.add(glob.star_token.span, before),
            UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.add_tree(before, item));
            }
        }
    }

    /// What a macro is given need not be Rust: paths are read off its words.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let text = tokens.to_string().replace(' ', "");
        let at = tokens.into_iter().next().map_or_else(Span::call_site, |token| token.span());
        for rest in text.split("crate::").skip(1) {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
            let path = format!("crate::{}", &rest[..end.unwrap_or(rest.len())]);
            self.add(at, &path.split("::").map(str::to_owned).collect::<Vec<_>>());
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let is_test = |attribute: &syn::Attribute| {
            attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|given| given == "test")
        };
        if !module.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(first) = path.segments.first() {
            self.add(first.ident.span(), &names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        self.add_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}

#[test]
fn paths_are_read_off_imports_code_and_macros() {
    let text = "use crate::a::{self, b, c::D as E};\nfn f() -> crate::g::H { h!(crate::i::j(1)) }\n\
                #[cfg(test)]\nmod tests { use crate::k; }";
    let source = Source { path: "src/x.rs".to_owned(), text: text.to_owned() };
    let found: Vec<(usize, String)> =
        named(&source).into_iter().map(|(line, path)| (line, path.join("::"))).collect();
    let due = [(1, "a"), (1, "a::b"), (1, "a::c::D"), (2, "g::H"), (2, "i::j")];
    assert_eq!(found, due.map(|(line, path)| (line, path.to_owned())));
}
