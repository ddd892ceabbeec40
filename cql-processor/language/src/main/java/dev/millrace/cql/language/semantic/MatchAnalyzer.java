package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.semantic.LogicalMatch.Leaf;
import dev.millrace.cql.language.syntax.MatchClause;
import dev.millrace.cql.language.syntax.MatchClause.RowsKind;
import dev.millrace.cql.language.syntax.Source.MatchSource;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.CqlOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Analyzes MATCH_RECOGNIZE: checks its clauses, resolves names, determines types. Single use, not thread-safe. */
public final class MatchAnalyzer
{
    private final MatchClause match;
    private final SourceInfo source;
    private final String text;
    private final PlanningDeadline deadline;
    private final MatchVariables variables;
    private final MatchColumns columns;
    private final MatchReferenceRewriter names;
    private final List<Integer> partitionBy = new ArrayList<>();
    private final List<String> outputNames = new ArrayList<>();
    private final List<SqlNode> outputs = new ArrayList<>();

    private MatchAnalyzer(final MatchSource written, final SourceInfo source, final String text,
        final PlanningDeadline deadline, final CallResolver functions)
    {
        match = written.match();
        this.source = source;
        this.text = text;
        this.deadline = deadline;
        variables = new MatchVariables(match);
        columns = new MatchColumns(source);
        names = new MatchReferenceRewriter(variables, columns, functions);
    }

    /**
     * Analyzes a pattern over a source.
     *
     * @param written   syntax tree
     * @param source    input of the pattern
     * @param text      statement, for messages
     * @param deadline  deadline of planning
     * @param functions replaces a call by name with the function or aggregate that it refers to; returns all other
     *     calls unchanged
     * @return names, types and values
     * @throws CqlRuleException if the pattern is invalid
     */
    public static LogicalMatch analyze(final MatchSource written, final SourceInfo source, final String text,
        final PlanningDeadline deadline, final CallResolver functions)
    {
        if (written.windowPosition() != null)
        {
            throw new CqlRuleException(Message.WINDOW_BEFORE_PATTERN, written.windowPosition());
        }
        if (source.kind() != SourceInfo.Kind.STREAM)
        {
            throw new CqlRuleException(Message.NEEDS_STREAM, written.name().getParserPosition(), "MATCH_RECOGNIZE",
                source.name());
        }
        return new MatchAnalyzer(written, source, text, deadline, functions).analyze();
    }

    /**
     * Valid but probably unintended constructs of a pattern.
     *
     * @param match syntax tree
     * @return warnings with their positions
     */
    public static List<CqlRuleException> warnings(final MatchClause match)
    {
        return new MatchChecks(match, new MatchVariables(match)).warnings();
    }

    /**
     * Constructs that delay matches unnecessarily when matches are emitted in order of time.
     *
     * @param match syntax tree
     * @return warnings with their positions
     */
    public static List<CqlRuleException> warningsOfOrder(final MatchClause match)
    {
        return new MatchChecks(match, new MatchVariables(match)).warningsOfOrder();
    }

    private LogicalMatch analyze()
    {
        final MatchChecks rules = new MatchChecks(match, variables);
        rules.check();
        for (final SqlIdentifier name : match.partitionBy())
        {
            final int column = columns.needPlain(name);
            if (column >= source.columns().size())
            {
                throw new CqlRuleException(Message.UNKNOWN_COLUMN, name.getParserPosition(), source.name(), name,
                    Scope.shown(source.columnNames()));
            }
            partitionBy.add(column);
        }
        checkOrder();
        final List<SqlNode> values = new ArrayList<>();
        final int[] conditionOf = new int[variables.names().size()];
        for (final Item define : match.defines())
        {
            final int variable = variables.indexOf(define.alias().getSimple());
            values.add(names.condition(define.expression(), variable));
            conditionOf[variable] = values.size();
        }
        addOutputs();
        final int conditions = values.size();
        values.addAll(outputs);
        final List<Leaf> leaves = leaves();
        final List<SourceInfo.Column> row = new ArrayList<>();
        for (int i = 0; i < leaves.size(); i++)
        {
            final Leaf leaf = leaves.get(i);
            final String name = MatchTypeInference.leafName(i);
            row.add(new SourceInfo.Column(name, leaf.type(), leaf instanceof LogicalMatch.Navigation read ?
                columns.all().get(read.column()).javaClass() : leaf instanceof LogicalMatch.RowColumn own ?
                columns.all().get(own.column()).javaClass() : leaf.type().javaClass()));
        }
        final MatchTypeInference typing = new MatchTypeInference(row, text, deadline);
        final List<RexNode> typed = typing.values(values);
        for (int i = 0; i < conditions; i++)
        {
            CqlOperator.checkCondition(match.defines().get(i).expression().getParserPosition(), typing.typeOf(i));
        }
        final List<LogicalMatch.Measure> measures = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++)
        {
            measures.add(new LogicalMatch.Measure(outputNames.get(i), typed.get(conditions + i),
                MatchTypeInference.typeOf(outputs.get(i), typing.typeOf(conditions + i))));
        }
        final List<RexNode> ofVariables = new ArrayList<>();
        for (final int condition : conditionOf)
        {
            ofVariables.add(condition == 0 ? null : typed.get(condition - 1));
        }
        return new LogicalMatch(match, source, partitionBy, variables.classifierNames(), duration(), skip(), leaves,
            ofVariables, measures, rules.warnings());
    }

    private long skip()
    {
        return match.skip() == null || match.skip().variable() == null ? 0 : variables.need(match.skip().variable());
    }

    /** The column that contains the duration, -1 without. */
    private int duration()
    {
        final SqlIdentifier name = match.duration() == null ? null : match.duration().column();
        if (name == null)
        {
            return -1;
        }
        if (!name.isSimple() && (MatchChecks.firsts(match.pattern(), variables) & ~variables.need(name)) != 0)
        {
            throw new CqlRuleException(Message.DURATION_OF_FIRST_ROW, name.getParserPosition(), name,
                name.names.get(0));
        }
        final int last = name.names.size() - 1;
        final int column = columns.need(name.names.get(last), name.getComponentParserPosition(last));
        if (columns.isTime(column) || columns.type(column) != CqlType.INT && columns.type(column) != CqlType.BIGINT)
        {
            throw new CqlRuleException(Message.DURATION_NOT_WHOLE, name.getParserPosition(), name,
                columns.type(column).cqlName());
        }
        return column;
    }

    private void checkOrder()
    {
        for (int i = 0; i < match.orderBy().size(); i++)
        {
            final SqlIdentifier name = match.orderBy().get(i);
            if (!columns.isTime(columns.needPlain(name)) || i > 0)
            {
                throw new CqlRuleException(Message.PATTERN_ORDER, name.getParserPosition(), name);
            }
        }
    }

    /** The measures, and with ROWS PER MATCH the columns that SQL adds before and after them. */
    private void addOutputs()
    {
        if (match.rows() != null)
        {
            partitionBy.forEach(this::addColumn);
        }
        for (final Item measure : match.measures())
        {
            SelectResolver.refuseCondition(measure.expression());
            outputs.add(names.measure(measure.expression()));
            outputNames.add(measure.alias().getSimple());
        }
        if (match.rows() != null && match.rows().kind() != RowsKind.ONE)
        {
            for (int i = 0; i < source.columns().size(); i++)
            {
                addColumn(i);
            }
        }
        if (outputs.isEmpty())
        {
            throw new CqlRuleException(Message.CLAUSE_MISSING, match.end(), "MEASURES");
        }
        if (outputs.size() > Message.MAX_COLUMNS)
        {
            throw new CqlRuleException(Message.TOO_MANY_COLUMNS, match.position(), outputs.size(), Message.MAX_COLUMNS);
        }
    }

    /** A column of the source, unless a measure or column with its name exists. */
    private void addColumn(final int column)
    {
        final String name = columns.name(column);
        if (match.measures().stream().noneMatch(measure -> measure.alias().getSimple().equalsIgnoreCase(name)) &&
            outputNames.stream().noneMatch(name::equalsIgnoreCase))
        {
            final SqlParserPos position = match.rows().position();
            outputs.add(names.rowColumn(column, position));
            outputNames.add(name);
        }
    }

    /** The leaves; aggregates get their types and arguments. */
    private List<Leaf> leaves()
    {
        final List<Leaf> leaves = new ArrayList<>(names.leaves());
        final List<SqlNode> calls = new ArrayList<>();
        names.aggregates().stream().filter(call -> call != null).forEach(calls::add);
        if (calls.isEmpty())
        {
            return leaves;
        }
        final List<MatchTypeInference.Typed> typed = new MatchTypeInference(columns.ofArguments(), text,
            deadline).aggregates(calls);
        int next = 0;
        for (int i = 0; i < leaves.size(); i++)
        {
            if (names.aggregates().get(i) != null)
            {
                final LogicalMatch.Aggregate open = (LogicalMatch.Aggregate) leaves.get(i);
                leaves.set(i, closed(open, typed.get(next++)));
            }
        }
        return leaves;
    }

    private static LogicalMatch.Aggregate closed(final LogicalMatch.Aggregate open,
        final MatchTypeInference.Typed typed)
    {
        final boolean rows = typed.function().equals("count") && !typed.distinct() && typed.arguments().stream()
            .allMatch(argument -> argument instanceof RexLiteral literal && !literal.isNull());
        return new LogicalMatch.Aggregate(open.variables(), typed.function(), rows ? List.of() : typed.arguments(),
            typed.distinct(), open.running(), typed.type());
    }
}
