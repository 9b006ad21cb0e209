//! Which parameter makes an agent win a given share of matches, alone at a table full of another (`levels`)?

use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::searches::certificate::Certificate;
use crate::lab::questions::searches::curve::{Curve, Point};
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::level_course::{Course, Ended, Level};
use crate::lab::questions::searches::level_file;
use crate::lab::questions::searches::level_settings::Levels;
use crate::lab::questions::searches::level_tables::{self, LEVELS};
use crate::lab::questions::searches::search::{Found, Halt, Search, SearchContext, Stages};
use crate::lab::report::answer::Answer;
use crate::lab::report::comparison::LevelFinding;
use crate::lab::report::described::{ANOMALIES, TableSchema, text};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{Row, Table};

/// The catalogue entry of this search.
pub const TYPE: Entry<dyn Search> =
    Entry::search::<Levels>(KIND, &[LEVELS, CURVE], level_file::is_file);
const KIND: &str = "levels";

/// The strength over the parameter.
pub const CURVE: TableSchema = TableSchema {
    name: "curve",
    keys: &[
        text("agent", "the agent without the parameter, as on the command line"),
        text("parameter", "the parameter"),
        text("value", "its value"),
    ],
    more: &[],
    metrics: &[Metric::share(
        "win_rate",
        "share of matches that the agent wins alone at the table; all values on common deals",
    )],
};

/// The rows of the curves of some families.
fn curve_rows(families: &[Family], manifest: &Manifest, curves: &[Option<Curve>]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (family, curve) in families.iter().zip(curves) {
        for point in curve.iter().flat_map(|curve| &curve.points) {
            let agent = manifest.agents[family.agent].name.clone();
            let value = Family::text(point.value);
            rows.push(Row::new(
                vec![agent, family.key.clone(), value],
                "win_rate",
                Some(point.rate),
                point.blocks,
                point.matches,
            ));
        }
    }
    rows
}

/// The rows of a level.
fn rows_of(level: &Level) -> Vec<Row> {
    let keys = || vec![level.percent.to_string(), level.agent.name.clone()];
    let measured = |certificate: &Certificate, verdict| {
        let Certificate { sums, .. } = certificate;
        let size = (sums.blocks(), sums.matches());
        level_tables::win_rate(keys(), certificate.rate(), size, verdict, Some(certificate))
    };
    let win_rate = match &level.ended {
        Ended::Certified(certificate) => measured(certificate, LevelFinding::Certified),
        Ended::Missed(certificate) => measured(certificate, LevelFinding::NotCertified),
        Ended::Beyond(Point { rate, blocks, matches, .. }) => level_tables::win_rate(
            keys(),
            Some(*rate),
            (*blocks, *matches),
            LevelFinding::NotReached,
            None,
        ),
    };
    vec![
        win_rate,
        level_tables::plain(keys(), "parameter", level.value),
        level_tables::plain(keys(), "tries", f64::from(level.tries)),
        level_tables::plain(keys(), "searched", level.searched as f64),
    ]
}

impl Question for Levels {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "levels"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![LEVELS, CURVE, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "The win rates hold against this opponent, at this number of players and under these rules. They are \
         not the win rates against people."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        level_tables::answer(manifest, tables, |_| self.tolerance)
    }

    fn has_failed(&self, tables: &[Table]) -> bool {
        level_tables::has_failed(tables)
    }
}

impl Search for Levels {
    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        self.check_settings(manifest)
    }

    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt> {
        let SearchContext { manifest, .. } = context;
        let (curves, levels) = Course::new(self, manifest, stages).run()?;
        let against = manifest.agents[manifest.agents.len() - 1].spec();
        let mut files = Vec::new();
        for level in &levels {
            if let Ended::Certified(certificate) = &level.ended {
                files.push(level_file::file(self, context, &against, level, certificate));
            }
        }
        let blocks = |rows: &[Row]| rows.iter().map(|row| row.blocks).sum();
        let found: Vec<Row> = levels.iter().flat_map(rows_of).collect();
        let curve = curve_rows(&self.families, manifest, &curves);
        let tables = vec![LEVELS.table(blocks(&found), found), CURVE.table(blocks(&curve), curve)];
        Ok(Found { tables, files })
    }
}
