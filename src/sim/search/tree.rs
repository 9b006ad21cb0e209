//! The tree of an information-set search: nodes are histories of actions, chance lies between them.
//!
//! Edges carry visits, the number of times they were available, and the sum of value vectors (max^n). They
//! lie in two arenas that are cleared, not freed, so that a warm search allocates nothing. Two
//! determinizations may let different seats act after the same history; an edge therefore belongs to a seat.
//!
//! Source: P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012.

use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};

/// No edge or node.
const NONE: u32 = u32::MAX;

/// The position of a node in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(u32);

/// The position of an edge in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeId(u32);

#[derive(Debug, Clone, Copy)]
struct Node {
    first: u32,
    last: u32,
}

/// One action of one seat after one history.
#[derive(Debug, Clone, Copy)]
pub struct Edge<A> {
    /// The action.
    pub action: A,
    /// The seat that acts.
    pub seat: Seat,
    /// Iterations that went through it.
    pub visits: u32,
    /// Iterations in which it could have been chosen.
    pub available: u32,
    /// Its prior: the share of visits that it gets before anything is known, 0 to 1.
    pub prior: f32,
    /// Sum of the values of its iterations, by seat.
    pub values: PerSeat<f32>,
    child: u32,
    next: u32,
    /// Where the action stood in the last legal list that had it.
    listed: u16,
}

impl<A> Edge<A> {
    /// Mean value for the seat that acts.
    #[inline]
    pub fn mean(&self) -> f32 {
        self.values[self.seat.idx()] / self.visits as f32
    }
}

impl<A: Copy + PartialEq> Edge<A> {
    /// Whether its action is in a legal list. Lists at one node are much alike, so it looks first where the
    /// action stood last.
    #[inline]
    fn is_in(&mut self, legal: &[A]) -> bool {
        if legal.get(usize::from(self.listed)) == Some(&self.action) {
            return true;
        }
        let found = legal.iter().position(|action| *action == self.action);
        self.listed = found.and_then(|at| u16::try_from(at).ok()).unwrap_or(self.listed);
        found.is_some()
    }
}

/// The tree.
#[derive(Debug)]
pub struct Tree<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    nodes_max: usize,
    edges_max: usize,
}

/// The entries that there is room for at once: more than searches of usual size need. That of huge ones, by many threads,
/// would be gigabytes which the system may refuse, although few of them are ever used.
const ROOM: usize = 1 << 16;

impl<A: Copy + PartialEq> Tree<A> {
    /// An empty tree with room for these numbers of nodes and edges; it never grows beyond that.
    pub fn new(nodes_max: usize, edges_max: usize) -> Tree<A> {
        let nodes = Vec::with_capacity(nodes_max.min(ROOM));
        let edges = Vec::with_capacity(edges_max.min(ROOM));
        let mut tree = Tree { nodes, edges, nodes_max, edges_max };
        tree.clear();
        tree
    }

    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    /// Removes everything except the root.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.nodes.clear();
        self.nodes.push(Node { first: NONE, last: NONE });
    }

    /// An edge.
    #[inline]
    pub fn edge(&self, id: EdgeId) -> &Edge<A> {
        &self.edges[id.0 as usize]
    }

    /// The edge after this one at the same node.
    #[inline]
    pub fn next(&self, id: EdgeId) -> Option<EdgeId> {
        let next = self.edges[id.0 as usize].next;
        (next != NONE).then_some(EdgeId(next))
    }

    /// The edges of a node, in the order in which they were added.
    #[inline]
    pub fn edges(&self, node: NodeId) -> impl Iterator<Item = EdgeId> + '_ {
        let first = self.nodes[node.0 as usize].first;
        let first = (first != NONE).then_some(EdgeId(first));
        std::iter::successors(first, |&id| self.next(id))
    }

    /// Whether nothing has been tried from a node yet.
    #[inline]
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.nodes[node.0 as usize].first == NONE
    }

    /// Writes the edges of a seat at a node that are in a legal list, each with its position there, in the
    /// order in which they were added; `out` is cleared first.
    pub fn list_open(
        &mut self,
        node: NodeId,
        seat: Seat,
        legal: &[A],
        out: &mut Vec<(EdgeId, u16)>,
    ) {
        out.clear();
        let mut at = self.nodes[node.0 as usize].first;
        while let Some(edge) = self.edges.get_mut(at as usize) {
            if edge.seat == seat && edge.is_in(legal) {
                out.push((EdgeId(at), edge.listed));
            }
            at = edge.next;
        }
    }

    /// Adds an edge for an action that the node lacks, at its position in the legal list; `None` if the arena
    /// is full.
    pub fn add(
        &mut self,
        node: NodeId,
        seat: Seat,
        action: A,
        listed: u16,
        prior: f32,
    ) -> Option<EdgeId> {
        if self.edges.len() >= self.edges_max {
            return None;
        }
        let id = u32::try_from(self.edges.len()).ok()?;
        let values = [0.0; SEATS_MAX];
        let (visits, available, child, next) = (0, 0, NONE, NONE);
        self.edges.push(Edge {
            action,
            seat,
            visits,
            available,
            prior,
            values,
            child,
            next,
            listed,
        });
        let node = &mut self.nodes[node.0 as usize];
        if node.first == NONE {
            node.first = id;
        } else {
            self.edges[node.last as usize].next = id;
        }
        node.last = id;
        Some(EdgeId(id))
    }

    /// Notes that an edge could be chosen.
    #[inline]
    pub fn note_available(&mut self, id: EdgeId) {
        self.edges[id.0 as usize].available += 1;
    }

    /// The node behind an edge, created on first use; `None` if the arena is full.
    pub fn child(&mut self, id: EdgeId) -> Option<NodeId> {
        if self.edges[id.0 as usize].child == NONE {
            if self.nodes.len() >= self.nodes_max {
                return None;
            }
            self.edges[id.0 as usize].child = u32::try_from(self.nodes.len()).ok()?;
            self.nodes.push(Node { first: NONE, last: NONE });
        }
        Some(NodeId(self.edges[id.0 as usize].child))
    }

    /// By how many visits the most visited edge of the root is ahead of all others.
    pub fn lead(&self) -> u32 {
        let (mut first, mut second) = (0, 0);
        for id in self.edges(Tree::<A>::ROOT) {
            let visits = self.edge(id).visits;
            second = second.max(visits.min(first));
            first = first.max(visits);
        }
        first - second
    }

    /// Adds visits and values of the root's edges of a tree whose root has the same edges.
    pub fn absorb_root(&mut self, other: &Tree<A>) {
        let mut at = self.nodes[0].first;
        for id in other.edges(Tree::<A>::ROOT) {
            let from = other.edge(id);
            let Some(edge) = self.edges.get_mut(at as usize) else { return };
            debug_assert!(edge.action == from.action, "the same edges in the same order");
            edge.visits += from.visits;
            edge.available += from.available;
            for (sum, value) in edge.values.iter_mut().zip(from.values) {
                *sum += value;
            }
            at = edge.next;
        }
    }

    /// Adds the values of an iteration to an edge that it went through.
    #[inline]
    pub fn update(&mut self, id: EdgeId, values: &PerSeat<f32>) {
        let edge = &mut self.edges[id.0 as usize];
        edge.visits += 1;
        for (sum, value) in edge.values.iter_mut().zip(values) {
            *sum += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_a_seat_and_keep_their_sums() {
        let mut tree: Tree<u8> = Tree::new(4, 3);
        let root = Tree::<u8>::ROOT;
        let a = tree.add(root, Seat::new(0), 7, 0, 0.5).unwrap();
        let b = tree.add(root, Seat::new(1), 7, 0, 0.5).unwrap();
        let mut open = Vec::new();
        for (seat, legal, due) in [
            (0, &[7][..], vec![(a, 0)]),
            (1, &[5, 6, 7], vec![(b, 2)]),
            (1, &[7, 6, 5], vec![(b, 0)]),
            (1, &[5, 6], vec![]),
            (2, &[7], vec![]),
        ] {
            tree.list_open(root, Seat::new(seat), legal, &mut open);
            assert_eq!(open, due);
        }
        tree.update(a, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        tree.update(a, &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert!((tree.edge(a).mean() - 0.5).abs() < 1e-6);
        let child = tree.child(a).unwrap();
        assert!(tree.is_leaf(child));
        assert_eq!(tree.child(a), Some(child));
        assert!(tree.add(child, Seat::new(0), 1, 0, 1.0).is_some());
        assert_eq!(tree.add(child, Seat::new(0), 2, 0, 1.0), None, "the arena is full");
    }

    /// One tree saw an action of seat 2 win once in three visits, another three times in five: four wins in eight. Below the
    /// root nothing is added.
    #[test]
    fn visits_availability_and_values_of_two_roots_add_up() {
        let (first, second) = (Seat::new(0), Seat::new(1));
        let planted = |visits: [u32; 2], wins: [u32; 2]| {
            let mut tree: Tree<u8> = Tree::new(4, 4);
            for (at, action) in [(0, 7), (1, 9)] {
                let id = tree.add(Tree::<u8>::ROOT, second, action, 0, 0.5).unwrap();
                for visit in 0..visits[at] {
                    tree.note_available(id);
                    let won = f32::from(u8::from(visit < wins[at]));
                    tree.update(id, &[1.0 - won, won, 0.0, 0.0, 0.0, 0.0]);
                }
            }
            let first_edge = tree.edges(Tree::<u8>::ROOT).next().unwrap();
            let below = tree.child(first_edge).unwrap();
            let leaf = tree.add(below, first, 1, 0, 1.0).unwrap();
            tree.update(leaf, &[1.0; SEATS_MAX]);
            (tree, leaf)
        };
        let (mut tree, leaf) = planted([3, 2], [1, 0]);
        tree.absorb_root(&planted([5, 6], [3, 6]).0);
        let sums = |id| {
            let edge = tree.edge(id);
            (edge.action, edge.visits, edge.available, edge.mean())
        };
        let found: Vec<_> = tree.edges(Tree::<u8>::ROOT).map(sums).collect();
        assert_eq!(found, [(7, 8, 8, 0.5), (9, 8, 8, 0.75)]);
        assert_eq!(tree.edge(leaf).visits, 1);
    }
}
