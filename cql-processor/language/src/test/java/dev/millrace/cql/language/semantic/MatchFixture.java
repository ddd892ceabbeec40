package dev.millrace.cql.language.semantic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.MatchClause;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.syntax.Source;
import dev.millrace.cql.language.syntax.StatementParser;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Shows the analysis of patterns in a short form. The expected position of a problem is marked with carets. */
final class MatchFixture
{
    static final SourceInfo SOURCE = new SourceInfo("S", SourceInfo.Kind.STREAM, List.of(
        new SourceInfo.Column("c1", CqlType.INT), new SourceInfo.Column("c2", CqlType.INT),
        new SourceInfo.Column("price", CqlType.DOUBLE), new SourceInfo.Column("name", CqlType.CHAR),
        new SourceInfo.Column("flag", CqlType.BOOLEAN), new SourceInfo.Column("f", CqlType.FLOAT)), List.of());

    private MatchFixture()
    {
    }

    static Source.MatchSource parse(final String clauses)
    {
        final Query query = StatementParser.parse("select * from S match_recognize (" + clauses + ") as T").query();
        return (Source.MatchSource) ((Query.Select) query).from().get(0);
    }

    static LogicalMatch analyze(final String clauses)
    {
        return MatchAnalyzer.analyze(parse(clauses), SOURCE,
            "select * from S match_recognize (" + clauses + ") as T", new PlanningDeadline(60_000),
            CallResolver.NOTHING);
    }

    static void fails(final Message message, final String clausesWithCarets, final String part)
    {
        final int first = clausesWithCarets.indexOf('^');
        final int second = clausesWithCarets.indexOf('^', first + 1);
        final String clauses = clausesWithCarets.substring(0, first) +
            clausesWithCarets.substring(first + 1, second) + clausesWithCarets.substring(second + 1);
        final CqlRuleException refusal = catchThrowableOfType(CqlRuleException.class, () -> analyze(clauses));
        assertThat(refusal).as(clausesWithCarets).isNotNull();
        assertThat(refusal.message()).as(clausesWithCarets + ": " + refusal.text()).isEqualTo(message);
        final int start = "select * from S match_recognize (".length() + 1;
        final SqlParserPos position = refusal.position();
        assertThat((position.getColumnNum() - start) + "-" + (position.getEndColumnNum() - start + 1))
            .as(clausesWithCarets).isEqualTo(first + "-" + (second - 1));
        assertThat(refusal.text() + "; " + refusal.hint()).contains(part);
    }

    /** The pattern with all its parentheses. */
    static String pattern(final MatchClause.Term term)
    {
        if (term instanceof MatchClause.Variable variable)
        {
            return variable.name().getSimple();
        }
        if (term instanceof MatchClause.Repeat repeat)
        {
            return pattern(repeat.term()) + '{' + repeat.min() + ',' +
                (repeat.max() == Integer.MAX_VALUE ? "" : repeat.max()) + '}' + (repeat.greedy() ? "" : "?");
        }
        if (term instanceof MatchClause.Exclude exclude)
        {
            return "{-" + pattern(exclude.term()) + "-}";
        }
        if (term instanceof MatchClause.Empty)
        {
            return "()";
        }
        final String separator = term instanceof MatchClause.Sequence ? " " : term instanceof MatchClause.Alternation ?
            "|" : ",";
        final List<MatchClause.Term> terms = term instanceof MatchClause.Sequence sequence ? sequence.terms()
            : term instanceof MatchClause.Alternation alternation ? alternation.terms() :
            ((MatchClause.Permute) term).terms();
        return (term instanceof MatchClause.Permute ? "permute(" : "(") +
            terms.stream().map(MatchFixture::pattern).collect(Collectors.joining(separator)) + ')';
    }

    /** Conditions as {@code A:...}, then measures as {@code name type:...}. */
    static String show(final LogicalMatch match)
    {
        final List<String> shown = new ArrayList<>();
        for (int i = 0; i < match.conditions().size(); i++)
        {
            if (match.conditions().get(i) != null)
            {
                shown.add(match.variables().get(i) + ": " + value(match, match.conditions().get(i)));
            }
        }
        for (final LogicalMatch.Measure measure : match.measures())
        {
            shown.add(measure.name() + ' ' + measure.type().cqlName() + ": " + value(match, measure.value()));
        }
        return String.join("; ", shown);
    }

    private static String value(final LogicalMatch match, final RexNode value)
    {
        String shown = value.toString().replaceAll(":(INTEGER|BIGINT|FLOAT|VARCHAR|DOUBLE|REAL)(\\(\\d+\\))?", "")
            .replace("_UTF-8", "");
        for (int i = match.leaves().size() - 1; i >= 0; i--)
        {
            shown = shown.replace("$" + i, leaf(match, match.leaves().get(i)));
        }
        return shown;
    }

    private static String leaf(final LogicalMatch match, final LogicalMatch.Leaf leaf)
    {
        if (leaf instanceof LogicalMatch.Navigation navigation)
        {
            return mask(match, navigation.variables()) + (navigation.first() ? ".first" : ".last") +
                (navigation.offset() == 0 ? "" : "+" + navigation.offset()) +
                (navigation.back() == 0 ? "" : "@" + -navigation.back()) +
                (navigation.maxAgeMs() < 0 ? "" : "<=" + navigation.maxAgeMs()) +
                (navigation.running() ? "" : "!") + '.' + column(match, navigation.column());
        }
        if (leaf instanceof LogicalMatch.Aggregate aggregate)
        {
            return aggregate.function() + '[' + mask(match, aggregate.variables()) + (aggregate.running() ? "" : "!") +
                ']' + (aggregate.distinct() ? "distinct" : "") + aggregate.arguments().toString()
                .replaceAll(":(INTEGER|BIGINT)", "").replace("$", "#");
        }
        if (leaf instanceof LogicalMatch.RowColumn own)
        {
            return "row." + column(match, own.column());
        }
        if (leaf instanceof LogicalMatch.Classifier classifier)
        {
            final boolean isOfLast = !classifier.first() && classifier.offset() == 0 && classifier.back() == 0;
            return "classifier[" + mask(match, classifier.variables()) + ']' +
                (isOfLast ? "" : classifier.first() ? ".first" : ".last") +
                (classifier.offset() == 0 ? "" : "+" + classifier.offset()) +
                (classifier.back() == 0 ? "" : "@" + -classifier.back()) + (classifier.running() ? "" : "!");
        }
        return "match_number";
    }

    private static String column(final LogicalMatch match, final int column)
    {
        return column == match.elementTimeColumn() ? "TIME" : match.source().columns().get(column).name();
    }

    private static String mask(final LogicalMatch match, final long mask)
    {
        if (mask == -1)
        {
            return "*";
        }
        final StringBuilder shown = new StringBuilder();
        for (int i = 0; i < match.variables().size(); i++)
        {
            shown.append((mask >> i & 1) == 1 ? match.variables().get(i) : "");
        }
        return shown.toString();
    }
}
