package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.syntax.Statement.ToStream;
import dev.millrace.cql.language.types.CqlOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * A select block over few sources with its relation-to-stream operator: the input of the analysis for pipelines.
 *
 * @param toStream         relation-to-stream operator around the block
 * @param toStreamPosition position of its name; {@code null} without operator
 * @param items            select list
 * @param sources          FROM
 * @param where            condition, or {@code null}
 * @param groupBy          terms; {@code null} without the clause
 * @param having           condition, or {@code null}
 * @param unavailable      constructs of CQL that pipelines do not support, in order of the text
 * @param position         span of the select block
 */
public record SimpleStatement(
    ToStream toStream,
    SqlParserPos toStreamPosition,
    List<Item> items,
    List<FlatSource> sources,
    SqlNode where,
    List<SqlNode> groupBy,
    SqlNode having,
    List<CqlRuleException> unavailable,
    SqlParserPos position)
{
    /** Windows of pipelines. */
    public enum FlatWindow
    {
        /** None written, or unbounded. */
        UNBOUNDED,
        /** {@code [now]}. */
        NOW
    }

    /**
     * A term of FROM.
     *
     * @param name           name of the source
     * @param windowPosition position of the window, {@code null} without brackets
     * @param match          MATCH_RECOGNIZE, or {@code null}
     * @param alias          name after AS, or {@code null}
     */
    public record FlatSource(
        SqlIdentifier name, FlatWindow window, SqlParserPos windowPosition, MatchClause match, SqlIdentifier alias)
    {
    }

    /**
     * The flat form of a statement.
     *
     * @return its first block; constructs that do not fit are recorded as unavailable
     */
    public static SimpleStatement of(final Statement statement)
    {
        final List<CqlRuleException> unavailable = new ArrayList<>();
        if (statement.differencePosition() != null)
        {
            note(unavailable, statement.differencePosition(), "DIFFERENCE USING");
        }
        if (statement.evaluateEvery() != null)
        {
            note(unavailable, statement.evaluateEvery().position(), "EVALUATE EVERY");
        }
        Query query = statement.query();
        while (query instanceof Query.SetOperation set)
        {
            note(unavailable, set.operatorPosition(), "the set operation " + set.kind());
            query = set.left();
        }
        if (query.orderBy() != null)
        {
            note(unavailable, query.orderBy().position(), "ORDER BY");
        }
        final List<FlatSource> sources = new ArrayList<>();
        if (query instanceof Query.SourceRef alone)
        {
            sources.add(new FlatSource(alone.name(), FlatWindow.UNBOUNDED, null, null, null));
            return new SimpleStatement(statement.toStream(), statement.toStreamPosition(),
                List.of(new Item(SqlIdentifier.star(alone.position()), null)), sources, null, null, null, unavailable,
                alone.position());
        }
        final Query.Select select = (Query.Select) query;
        if (select.distinct())
        {
            note(unavailable, select.position(), "DISTINCT");
        }
        select.from().forEach(source -> flatten(source, sources, unavailable));
        select.items().forEach(item -> item.expression().accept(new Operators(unavailable)));
        for (final SqlNode condition : new SqlNode[]{select.where(), select.having()})
        {
            if (condition != null)
            {
                condition.accept(new Operators(unavailable));
            }
        }
        unavailable.sort(Comparator.comparing((CqlRuleException refusal) -> refusal.position().getLineNum())
            .thenComparing(refusal -> refusal.position().getColumnNum()));
        if (sources.isEmpty())
        {
            throw unavailable.get(0);
        }
        return new SimpleStatement(statement.toStream(), statement.toStreamPosition(), select.items(), sources,
            select.where(), select.groupBy(), select.having(), unavailable, select.position());
    }

    private static void flatten(
        final Source source, final List<FlatSource> sources, final List<CqlRuleException> unavailable)
    {
        if (source instanceof Source.NamedSource named)
        {
            final boolean now = named.window() instanceof Window.Now;
            if (!now && !(named.window() instanceof Window.Unbounded))
            {
                note(unavailable, named.windowPosition(), "this window");
            }
            sources.add(new FlatSource(named.name(), now ? FlatWindow.NOW : FlatWindow.UNBOUNDED,
                named.windowPosition(), null, named.alias()));
        }
        else if (source instanceof Source.MatchSource matched)
        {
            final Operators operators = new Operators(unavailable);
            matched.match().measures().forEach(measure -> measure.expression().accept(operators));
            matched.match().defines().forEach(define -> define.expression().accept(operators));
            sources.add(new FlatSource(matched.name(), FlatWindow.UNBOUNDED, matched.windowPosition(), matched.match(),
                matched.alias()));
        }
        else if (source instanceof Source.OuterJoin join)
        {
            flatten(join.left(), sources, unavailable);
            note(unavailable, join.operatorPosition(), "an outer join");
            flatten(join.right(), sources, unavailable);
        }
        else
        {
            note(unavailable, source.position(), source instanceof Source.SubQuery ? "a sub-query in FROM"
                : source instanceof Source.XmlTable ? "XMLTABLE" : "TABLE( )");
        }
    }

    /** Records operators that pipelines do not support. */
    private static final class Operators extends SqlBasicVisitor<Void>
    {
        private final List<CqlRuleException> unavailable;

        Operators(final List<CqlRuleException> unavailable)
        {
            this.unavailable = unavailable;
        }

        @Override
        public Void visit(final SqlCall call)
        {
            if (call.getFunctionQuantifier() != null)
            {
                note(unavailable, call.getFunctionQuantifier().getParserPosition(), "DISTINCT in an aggregate");
            }
            if (call.getOperator() instanceof CqlOperator operator && (operator.family() == CqlOperator.Family.TEXT ||
                operator.family() == CqlOperator.Family.MATCHING || operator.family() == CqlOperator.Family.CHOICE))
            {
                note(unavailable, call.getParserPosition(), operator.getName());
            }
            return super.visit(call);
        }
    }

    private static void note(final List<CqlRuleException> unavailable, final SqlParserPos position, final String what)
    {
        unavailable.add(new CqlRuleException(Message.NOT_AVAILABLE, position, what, ""));
    }
}
