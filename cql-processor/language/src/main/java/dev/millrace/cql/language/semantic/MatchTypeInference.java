package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.CqlTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Types values over the columns of one row, as a select list over it. Single use, not thread-safe. */
final class MatchTypeInference
{
    private static final SqlToRelConverter.Config CONVERTER = SqlToRelConverter.config()
        .withTrimUnusedFields(false)
        .withExpand(false)
        .withDecorrelationEnabled(false)
        .withRelBuilderConfigTransform(config -> config
            .withSimplify(false)
            .withSimplifyLimit(false)
            .withSimplifyValues(false)
            .withPruneInputOfAggregate(false)
            .withBloat(-1));
    private static final HepProgram NO_RULES = HepProgram.builder().build();

    /** An aggregate with its arguments over the row. */
    record Typed(String function, List<RexNode> arguments, boolean distinct, CqlType type)
    {
    }

    private final SourceInfo row;
    private final String text;
    private final PlanningDeadline deadline;
    private RelDataType types;

    /**
     * Prepares the typing of values over one row.
     *
     * @param columns columns of the row
     */
    MatchTypeInference(final List<SourceInfo.Column> columns, final String text, final PlanningDeadline deadline)
    {
        // A row without columns would not be a table.
        row = new SourceInfo("row", SourceInfo.Kind.STREAM,
            columns.isEmpty() ? List.of(new SourceInfo.Column("none", CqlType.INT)) : columns, List.of());
        this.text = text;
        this.deadline = deadline;
    }

    /** The name of the column that contains a value which is read from a match. */
    static String leafName(final int leaf)
    {
        return "x" + leaf;
    }

    /** The name by which values refer to a column of the row. */
    static SqlIdentifier column(final String name, final SqlParserPos position)
    {
        return new SqlIdentifier(List.of(Scope.internalAlias(0), name), null, position, List.of(position, position));
    }

    /** Translates values. */
    List<RexNode> values(final List<SqlNode> values)
    {
        return projection(convert(values), values.size());
    }

    /** The type of a translated value. */
    RelDataType typeOf(final int value)
    {
        return types.getFieldList().get(value).getType();
    }

    /** Translates calls of aggregates. */
    List<Typed> aggregates(final List<SqlNode> calls)
    {
        final RelNode plan = convert(calls);
        final List<RexNode> outputs = projection(plan, calls.size());
        final Aggregate aggregate = (Aggregate) (plan instanceof Project ? plan.getInput(0) : plan);
        final RelNode input = aggregate.getInput();
        final List<RexNode> arguments = projection(input, input.getRowType().getFieldCount());
        final List<Typed> typed = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++)
        {
            final AggregateCall call = aggregate.getAggCallList().get(((RexInputRef) outputs.get(i)).getIndex());
            typed.add(new Typed(call.getAggregation().getName().toLowerCase(Locale.ROOT),
                call.getArgList().stream().map(arguments::get).toList(), call.isDistinct(),
                typeOf(calls.get(i), typeOf(i))));
        }
        return typed;
    }

    /** The CQL type of a value; refuses an untyped null. */
    static CqlType typeOf(final SqlNode value, final RelDataType type)
    {
        if (type.getSqlTypeName() == SqlTypeName.NULL)
        {
            throw new CqlRuleException(Message.NULL_HAS_NO_TYPE, value.getParserPosition());
        }
        return CqlTypes.toCql(type);
    }

    private static List<RexNode> projection(final RelNode plan, final int columns)
    {
        if (plan instanceof Project project)
        {
            return project.getProjects();
        }
        final List<RexNode> same = new ArrayList<>();
        for (int i = 0; i < columns; i++)
        {
            same.add(RexInputRef.of(i, plan.getRowType()));
        }
        return same;
    }

    private RelNode convert(final List<SqlNode> values)
    {
        deadline.check();
        final SqlNodeList items = new SqlNodeList(SqlParserPos.ZERO);
        for (int i = 0; i < values.size(); i++)
        {
            final SqlParserPos position = values.get(i).getParserPosition();
            items.add(SqlStdOperatorTable.AS.createCall(position, values.get(i), new SqlIdentifier("c" + i, position)));
        }
        final SqlNode from = SqlStdOperatorTable.AS.createCall(SqlParserPos.ZERO,
            new SqlIdentifier(SourceTable.nameOf(0), SqlParserPos.ZERO),
            new SqlIdentifier(Scope.internalAlias(0), SqlParserPos.ZERO));
        final SqlSelect select = new SqlSelect(SqlParserPos.ZERO, null, items, from, null, null, null, null, null,
            null, null, null, null);
        final StatementCatalog catalog = new StatementCatalog(List.of(row));
        final CqlValidator validator = new CqlValidator(catalog, text, deadline);
        final SqlNode validated = validator.validate(select);
        types = validator.getValidatedNodeType(validated);
        deadline.check();
        final SqlToRelConverter converter = new SqlToRelConverter(
            (type, query, path, viewPath) ->
            {
                throw new IllegalStateException("views are never expanded, query=" + query);
            },
            validator, catalog, RelOptCluster.create(new HepPlanner(NO_RULES), new RexBuilder(CqlTypes.FACTORY)),
            StandardConvertletTable.INSTANCE, CONVERTER);
        return converter.convertQuery(validated, false, true).project();
    }

    /** Whether a value reads a column of the row. */
    static boolean readsColumn(final RexNode value, final int column)
    {
        final boolean[] found = new boolean[1];
        value.accept(new RexVisitorImpl<Void>(true)
        {
            @Override
            public Void visitInputRef(final RexInputRef reference)
            {
                found[0] |= reference.getIndex() == column;
                return null;
            }
        });
        return found[0];
    }
}
