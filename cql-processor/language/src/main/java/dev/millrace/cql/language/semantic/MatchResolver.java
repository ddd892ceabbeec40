package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.syntax.MatchClause;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.NumericLiteral;
import dev.millrace.cql.language.types.PatternFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Checks a MATCH_RECOGNIZE clause and resolves its names.
 *
 * <p>Every variable of the supported patterns represents one row. Therefore {@code first}, {@code last} and unqualified
 * columns are replaced with the column of the variable to which they refer, and a variable whose row is later is
 * replaced with null. Columns of variables and {@code prev} remain.
 */
final class MatchResolver
{
    /** Maximum number of rows that prev looks back. */
    static final int MAX_OFFSET_ROWS = 1_000;

    private final MatchClause match;
    private final SourceInfo source;
    private final MatchVariables known;
    private final List<String> variables;

    MatchResolver(final MatchClause match, final SourceInfo source)
    {
        this.match = match;
        this.source = source;
        known = new MatchVariables(match);
        variables = known.names();
    }

    /** Checks first for errors of any pattern, then for limits of pipelines. */
    void checkStructure()
    {
        new MatchChecks(match, known).check();
        if (!match.orderBy().isEmpty())
        {
            throw unavailable(match.orderBy().get(0).getParserPosition(), "ORDER BY in MATCH_RECOGNIZE");
        }
        if (match.rows() != null)
        {
            throw unavailable(match.rows().position(), "ROWS PER MATCH");
        }
        if (match.skip() != null)
        {
            throw unavailable(match.skip().position(), "AFTER MATCH SKIP");
        }
        if (match.within() != null || match.duration() != null)
        {
            throw unavailable(match.within() == null ? match.duration().position() : match.within().position(),
                match.within() == null ? "DURATION" : "WITHIN");
        }
        if (!match.subsets().isEmpty())
        {
            throw unavailable(match.subsets().get(0).name().getParserPosition(), "SUBSET");
        }
        final List<MatchClause.Term> terms = match.pattern() instanceof MatchClause.Sequence sequence
            ? sequence.terms() : List.of(match.pattern());
        for (int i = 0; i < terms.size(); i++)
        {
            if (!(terms.get(i) instanceof MatchClause.Variable variable) || indexOf(variable.name().getSimple()) < i)
            {
                throw unavailable(terms.get(i).position(), "a pattern other than a row of variables");
            }
        }
    }

    private static CqlRuleException unavailable(final SqlParserPos position, final String what)
    {
        return new CqlRuleException(Message.NOT_AVAILABLE, position, what, "");
    }

    List<String> measureNames()
    {
        return match.measures().stream().map(measure -> measure.alias().getSimple()).collect(Collectors.toList());
    }

    /** The variables of the pattern in order; each represents one row. */
    List<String> variables()
    {
        return variables;
    }

    /** The clause for Calcite's validator. */
    SqlMatchRecognize resolve(final SqlNode table)
    {
        final SqlParserPos position = match.position();
        final SqlNodeList partitionBy = new SqlNodeList(position);
        for (final SqlIdentifier column : match.partitionBy())
        {
            partitionBy.add(partitionColumn(column));
        }
        final SqlNodeList measures = new SqlNodeList(position);
        for (final Item measure : match.measures())
        {
            SelectResolver.refuseCondition(measure.expression());
            final SqlNode value = measure.expression().accept(new Names(variables.size() - 1, false));
            measures.add(SqlStdOperatorTable.AS.createCall(value.getParserPosition(), value,
                new SqlIdentifier(measure.alias().getSimple(), measure.alias().getParserPosition())));
        }
        final SqlNodeList defines = new SqlNodeList(position);
        for (final Item define : match.defines())
        {
            final int variable = indexOf(define.alias().getSimple());
            final SqlNode condition = define.expression().accept(new Names(variable, true));
            if (SqlUtil.isNullLiteral(condition, false))
            {
                throw unavailable(condition.getParserPosition(), "a condition that is null");
            }
            defines.add(SqlStdOperatorTable.AS.createCall(condition.getParserPosition(), condition,
                new SqlIdentifier(variables.get(variable), define.alias().getParserPosition())));
        }
        SqlNode pattern = new SqlIdentifier(variables.get(0), position);
        for (int i = 1; i < variables.size(); i++)
        {
            pattern = SqlStdOperatorTable.PATTERN_CONCAT.createCall(position, pattern,
                new SqlIdentifier(variables.get(i), position));
        }
        final SqlNode after = match.allMatches() != null
            ? SqlMatchRecognize.AfterOption.SKIP_TO_NEXT_ROW.symbol(position)
            : SqlMatchRecognize.AfterOption.SKIP_PAST_LAST_ROW.symbol(position);
        return new SqlMatchRecognize(position, table, pattern, SqlLiteral.createBoolean(false, position),
            SqlLiteral.createBoolean(false, position), defines, measures, after, new SqlNodeList(position), null,
            partitionBy, new SqlNodeList(position), null);
    }

    private SqlIdentifier partitionColumn(final SqlIdentifier column)
    {
        if (column.names.size() == 2 && !column.names.get(0).equalsIgnoreCase(source.name()))
        {
            throw new CqlRuleException(Message.UNKNOWN_QUALIFIER, column.getComponentParserPosition(0),
                column.names.get(0),
                source.name());
        }
        final int last = column.names.size() - 1;
        return new SqlIdentifier(declared(column.names.get(last), column.getComponentParserPosition(last)),
            column.getParserPosition());
    }

    private int indexOf(final String variable)
    {
        return known.indexOf(variable);
    }

    private String declared(final String column, final SqlParserPos position)
    {
        final int index = source.indexOf(column);
        if (index < 0)
        {
            if (column.equalsIgnoreCase("element_time"))
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, position, "ELEMENT_TIME", "");
            }
            throw new CqlRuleException(Message.UNKNOWN_COLUMN, position, source.name(), column,
                Scope.shown(source.columnNames()))
                .withHint(Suggestions.didYouMean(column, source.columnNames()));
        }
        return source.columns().get(index).name();
    }

    /** Replaces names in the condition of a variable, or in measures, which are evaluated at the last row. */
    private final class Names extends SqlShuttle
    {
        private final int row;
        private final boolean define;
        private boolean inAggregate;

        Names(final int row, final boolean define)
        {
            this.row = row;
            this.define = define;
        }

        @Override
        public SqlNode visit(final SqlIdentifier name)
        {
            if (name.isStar())
            {
                return name;
            }
            if (name.isSimple())
            {
                return column(row, name.getSimple(), name.getParserPosition(), name.getParserPosition());
            }
            final int variable = variable(name);
            final SqlNode column = column(variable, name.names.get(1), name.getComponentParserPosition(1),
                name.getParserPosition());
            return variable > row ? alwaysNull(name.getParserPosition()) : column;
        }

        private int variable(final SqlIdentifier name)
        {
            final int variable = indexOf(name.names.get(0));
            if (variable < 0)
            {
                throw new CqlRuleException(Message.UNKNOWN_VARIABLE, name.getComponentParserPosition(0),
                    name.names.get(0),
                    known.listed());
            }
            return variable;
        }

        private SqlIdentifier column(
            final int variable, final String column, final SqlParserPos columnPosition, final SqlParserPos position)
        {
            return new SqlIdentifier(List.of(variables.get(variable), declared(column, columnPosition)), null, position,
                List.of(position, position));
        }

        @Override
        public SqlNode visit(final SqlCall call)
        {
            SelectResolver.checkOperands(call);
            if (call.getOperator() instanceof CqlAggregate)
            {
                if (inAggregate)
                {
                    throw new CqlRuleException(Message.NESTED_AGGREGATE, call.getParserPosition());
                }
                inAggregate = true;
                call.getOperandList().forEach(operand -> operand.accept(this));
                throw new CqlRuleException(Message.NOT_AVAILABLE, call.getParserPosition(),
                    "an aggregate in MATCH_RECOGNIZE",
                    "");
            }
            if (call.getOperator() instanceof PatternFunction function)
            {
                if (function != PatternFunction.PREV && function != PatternFunction.FIRST &&
                    function != PatternFunction.LAST || call.operandCount() > 2)
                {
                    throw unavailable(call.getParserPosition(), function.getName());
                }
                return navigation(call, function);
            }
            final List<SqlNode> operands = new ArrayList<>();
            for (final SqlNode operand : call.getOperandList())
            {
                operands.add(operand.accept(this));
            }
            return new SqlBasicCall(call.getOperator(), operands, call.getParserPosition());
        }

        private SqlNode navigation(final SqlCall call, final PatternFunction operator)
        {
            final String function = operator.getName();
            if (inAggregate)
            {
                throw new CqlRuleException(Message.NESTED_NAVIGATION, call.getParserPosition(), function,
                    "an aggregate");
            }
            final int offset = offset(call, function);
            if (!(call.operand(0) instanceof SqlIdentifier name) || name.isStar())
            {
                throw unavailable(call.operand(0).getParserPosition(), function + " of an expression");
            }
            return operator == PatternFunction.PREV ? prev(call, name, offset)
                : firstOrLast(call, operator, name, offset);
        }

        private SqlNode prev(final SqlCall call, final SqlIdentifier name, final int offset)
        {
            final int variable = name.isSimple() ? row : variable(name);
            final int last = name.names.size() - 1;
            final SqlIdentifier column = column(variable, name.names.get(last), name.getComponentParserPosition(last),
                name.getParserPosition());
            if (define && variable != row)
            {
                throw new CqlRuleException(Message.PREV_OTHER_VARIABLE, call.getParserPosition(), variables.get(row),
                    name.names.get(last));
            }
            final SqlParserPos position = call.getParserPosition();
            return CqlOperator.PREV.createCall(position, column, new NumericLiteral(
                BigDecimal.valueOf(offset), CqlType.INT, position));
        }

        private SqlNode firstOrLast(
            final SqlCall call, final PatternFunction operator, final SqlIdentifier name, final int offset)
        {
            final int last = name.names.size() - 1;
            final SqlParserPos position = call.getParserPosition();
            final int variable;
            if (name.isSimple())
            {
                variable = operator == PatternFunction.FIRST ? offset : row - offset;
            }
            else
            {
                final int named = variable(name);
                variable = offset == 0 ? named : -1;
            }
            final SqlNode column = column(Math.max(0, Math.min(variable, row)), name.names.get(last),
                name.getComponentParserPosition(last), position);
            return variable < 0 || variable > row ? alwaysNull(position) : column;
        }

        /** A measure has the type of its column even if it is always null; a null literal has no type. */
        private SqlNode alwaysNull(final SqlParserPos position)
        {
            if (!define)
            {
                throw unavailable(position, "a row that a match cannot have");
            }
            return SqlLiteral.createNull(position);
        }

        private int offset(final SqlCall call, final String function)
        {
            if (call.operandCount() == 1)
            {
                return call.getOperator() == PatternFunction.PREV ? 1 : 0;
            }
            final SqlNode offset = call.operand(1);
            if (!(offset instanceof NumericLiteral number) ||
                number.cqlType() != CqlType.INT || number.number().signum() < 0)
            {
                throw new CqlRuleException(Message.OFFSET_NOT_CONSTANT, offset.getParserPosition(), function);
            }
            if (number.number().intValue() > MAX_OFFSET_ROWS)
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, offset.getParserPosition(),
                    "looking back more than " + MAX_OFFSET_ROWS + " rows", "");
            }
            return number.number().intValue();
        }
    }
}
