package dev.millrace.cql.planner.pipeline;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.semantic.LogicalStatement;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.semantic.SourceTable;
import dev.millrace.cql.language.syntax.SimpleStatement.FlatWindow;
import dev.millrace.cql.language.syntax.Statement.ToStream;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlTypes;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.Operator.Aggregate;
import dev.millrace.cql.plan.Operator.AggregateFunction;
import dev.millrace.cql.plan.Operator.Calc;
import dev.millrace.cql.plan.Operator.FixedPattern;
import dev.millrace.cql.plan.Operator.GroupedAggregate;
import dev.millrace.cql.plan.Operator.LookupJoin;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Expression.PriorColumn;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import dev.millrace.cql.planner.rule.ColumnOrigin;
import dev.millrace.cql.planner.rule.RulePipeline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Match;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlMatchRecognize;

/**
 * Converts the logical plan of one rule to operators. Used for one rule, not thread-safe.
 *
 * <p>It walks up from the source. For the current row of the logical plan it keeps one expression per column, over the
 * row of the operator under construction, and the conditions met so far; projections and filters are thus merged into
 * operators.
 */
public final class PipelinePlanner
{
    private final LogicalStatement statement;
    private final List<ColumnOrigin> inputLineage;
    private final EventType cacheType;
    private final RulePipeline flow = new RulePipeline();

    private List<Expression> row = new ArrayList<>();
    private final List<Expression> conditions = new ArrayList<>();
    private List<ColumnOrigin> lineage;
    private final List<ColumnOrigin> aggregateLineage = new ArrayList<>();
    private Operator open;
    private boolean joining;

    /**
     * @param statement    analyzed rule
     * @param inputLineage lineage of the columns of its stream
     * @param cacheType    row type of its cache, or {@code null}
     */
    public PipelinePlanner(
        final LogicalStatement statement, final List<ColumnOrigin> inputLineage, final EventType cacheType)
    {
        this.statement = statement;
        this.inputLineage = inputLineage;
        this.cacheType = cacheType;
    }

    public RulePipeline build(final RelNode plan, final List<String> names)
    {
        lineage = inputLineage;
        visit(plan);
        close(names);
        PipelineLimits.check(flow.build(List.of()));
        return flow;
    }

    private void visit(final RelNode node)
    {
        if (node instanceof TableScan scan)
        {
            scan(scan);
        }
        else if (node instanceof Project project)
        {
            visit(project.getInput());
            final ExpressionTranslator translator = new ExpressionTranslator(row::get);
            final List<Expression> projected = new ArrayList<>();
            project.getProjects().forEach(value -> projected.add(translator.translate(value)));
            row = projected;
        }
        else if (node instanceof Filter filter)
        {
            visit(filter.getInput());
            filter(filter.getCondition());
        }
        else if (node instanceof Join join)
        {
            join(join);
        }
        else if (node instanceof Match match)
        {
            visit(match.getInput());
            match(match);
        }
        else if (node instanceof org.apache.calcite.rel.core.Aggregate aggregate)
        {
            visit(aggregate.getInput());
            aggregate(aggregate);
        }
        else
        {
            throw new IllegalStateException("unsupported logical operator, node=" + node.getRelTypeName());
        }
    }

    private void scan(final TableScan scan)
    {
        final SourceInfo source = statement.sources().get(((SourceTable) scan.getTable()).index());
        row = new ArrayList<>();
        for (int i = 0; i < source.columns().size(); i++)
        {
            row.add(source.kind() == SourceInfo.Kind.CACHE
                ? new Expression.RelationColumn(i, source.columns().get(i).type(), true)
                : new Column(i, source.columns().get(i).type(), true));
        }
    }

    private void filter(final RexNode condition)
    {
        final List<RexNode> conjuncts = new ArrayList<>();
        ExpressionTranslator.conjuncts(condition, conjuncts);
        final ExpressionTranslator translator = new ExpressionTranslator(row::get);
        for (final RexNode conjunct : conjuncts)
        {
            if (joining && open == null && isKeyEquality(translator, conjunct))
            {
                openJoin((Expression.Call) translator.translate(conjunct));
            }
            else
            {
                conditions.add(translator.translate(conjunct));
            }
        }
    }

    private void join(final Join join)
    {
        visit(join.getLeft());
        final List<Expression> left = row;
        visit(join.getRight());
        final List<Expression> both = new ArrayList<>(left);
        both.addAll(row);
        row = both;
        joining = true;
        if (!join.getCondition().isAlwaysTrue())
        {
            filter(join.getCondition());
        }
    }

    private int keyColumn()
    {
        final SourceInfo cache = statement.sources().stream()
            .filter(source -> source.kind() == SourceInfo.Kind.CACHE).findFirst().orElseThrow();
        return cache.indexOf(cache.keyProperties().get(0));
    }

    private boolean isKey(final Expression expression)
    {
        return expression instanceof Expression.RelationColumn column && column.column() == keyColumn();
    }

    private boolean isKeyEquality(final ExpressionTranslator translator, final RexNode conjunct)
    {
        return ExpressionTranslator.isEquality(conjunct) &&
            translator.translate(conjunct) instanceof Expression.Call call &&
            (hasKey(call.arguments().get(0)) && !hasRelation(call.arguments().get(1)) ||
            hasKey(call.arguments().get(1)) && !hasRelation(call.arguments().get(0)));
    }

    private boolean hasKey(final Expression expression)
    {
        return isKey(expression) || expression instanceof Expression.Call call &&
            call.operation() == Operation.CONVERT && isKey(call.arguments().get(0));
    }

    private static boolean hasRelation(final Expression expression)
    {
        return expression instanceof Expression.RelationColumn || expression instanceof Expression.Call call &&
            call.arguments().stream().anyMatch(PipelinePlanner::hasRelation);
    }

    private void openJoin(final Expression.Call equality)
    {
        final boolean first = hasKey(equality.arguments().get(0));
        final Expression key = equality.arguments().get(first ? 0 : 1);
        final Expression value = equality.arguments().get(first ? 1 : 0);
        final SourceInfo cache = statement.sources().stream()
            .filter(source -> source.kind() == SourceInfo.Kind.CACHE).findFirst().orElseThrow();
        final CqlType type = cache.columns().get(keyColumn()).type();
        if (!isKey(key) || type == CqlType.FLOAT || type == CqlType.DOUBLE || type == CqlType.BOOLEAN)
        {
            throw new CqlRuleException(Message.CACHE_KEY_TYPE, statement.statement().where().getParserPosition(),
                cache.name(),
                cache.keyProperties().get(0), type.cqlName(), value.type().cqlName());
        }
        final RelationSource relation = new RelationSource(cache.name(), cacheType, keyColumn());
        open = new LookupJoin(relation, value, null, List.of(new Field("key", value)), List.of());
    }

    private void match(final Match match)
    {
        final List<String> variables = statement.variables();
        final int last = variables.size() - 1;
        final List<Expression> input = row;
        final List<Integer> partitionBy = new ArrayList<>();
        match.getPartitionKeys().forEach(partitionBy::add);
        partitionBy.forEach(column -> PipelineLimits.key(input.get(column).type()));
        final List<Expression> variableConditions = new ArrayList<>();
        for (int i = 0; i <= last; i++)
        {
            final RexNode condition = match.getPatternDefinitions().get(variables.get(i));
            variableConditions.add(condition == null ? null : patternTranslator(input, variables, i)
                .translate(condition));
        }
        final List<Field> measures = new ArrayList<>();
        match.getMeasures().forEach((name, value) ->
            measures.add(new Field(name, patternTranslator(input, variables, last).translate(value))));
        variableConditions.forEach(this::checkTexts);
        final List<ColumnOrigin> before = lineage;
        final Set<Integer> stateColumns = new HashSet<>();
        partitionBy.forEach(column -> stateColumns.add(before.get(column).channelColumn()));
        stateColumns.remove(-1);
        flow.stateful(stateColumns);
        final List<ColumnOrigin> after = new ArrayList<>();
        final List<Expression> output = new ArrayList<>();
        for (int i = 0; i < measures.size(); i++)
        {
            final Expression value = measures.get(i).expression();
            after.add(patternLineage(value, partitionBy));
            output.add(new Column(i, value.type(), value.nullable()));
        }
        final boolean allMatches = match.getAfter() instanceof RexLiteral literal &&
            literal.getValue() == SqlMatchRecognize.AfterOption.SKIP_TO_NEXT_ROW;
        if (!partitionBy.isEmpty() && variableConditions.size() > 1)
        {
            flow.mixesPartitions();
        }
        open = new FixedPattern(partitionBy, variableConditions, allMatches, measures, List.of());
        row = output;
        lineage = after;
    }

    private ColumnOrigin patternLineage(final Expression value, final List<Integer> partitionBy)
    {
        final ColumnOrigin origin = lineageOf(value);
        if (value instanceof PriorColumn prior && prior.offset() > 0 && !partitionBy.contains(prior.column()))
        {
            return new ColumnOrigin(origin.type(), origin.property(), -1);
        }
        return origin;
    }

    /** The row of variable i of a match, relative to the row of variable {@code current}. */
    private static ExpressionTranslator patternTranslator(
        final List<Expression> input, final List<String> variables, final int current)
    {
        return new ExpressionTranslator(new ExpressionTranslator.Columns()
        {
            @Override
            public Expression column(final int index)
            {
                return patternColumn(variables.get(current), index, 0);
            }

            @Override
            public Expression patternColumn(final String variable, final int index, final int back)
            {
                final Expression column = input.get(index);
                if (!(column instanceof Column plain))
                {
                    throw new IllegalStateException("pattern over a computed column, index=" + index);
                }
                return new PriorColumn(current - variables.indexOf(variable) + back, plain.column(), plain.type(),
                    plain.nullable());
            }
        });
    }

    private void aggregate(final org.apache.calcite.rel.core.Aggregate aggregate)
    {
        if (!conditions.isEmpty() || open != null)
        {
            final List<String> names = new ArrayList<>();
            for (int i = 0; i < row.size(); i++)
            {
                names.add("column" + i);
            }
            close(names);
            conditions.clear();
            lineage = flow.lineage();
            for (int i = 0; i < row.size(); i++)
            {
                row.set(i, new Column(i, row.get(i).type(), row.get(i).nullable()));
            }
        }
        final List<Expression> keys = new ArrayList<>();
        final List<ColumnOrigin> keyLineage = new ArrayList<>();
        final Set<Integer> stateColumns = new HashSet<>();
        final List<Expression> output = new ArrayList<>();
        for (final int key : aggregate.getGroupSet())
        {
            final Expression value = row.get(key);
            output.add(new Expression.KeyValue(keys.size(), value.type(), value.nullable()));
            keys.add(value);
            keyLineage.add(lineageOf(value));
            stateColumns.add(lineageOf(value).channelColumn());
        }
        stateColumns.remove(-1);
        flow.stateful(stateColumns);
        final List<Aggregate> aggregates = new ArrayList<>();
        aggregateLineage.clear();
        for (final AggregateCall call : aggregate.getAggCallList())
        {
            output.add(aggregateValue(call, aggregates));
            aggregateLineage.add(textLineage(aggregates.get(aggregates.size() - 1)));
        }
        open = new GroupedAggregate(keys, aggregates, null, List.of(new Field("group", output.get(0))), List.of());
        row = output;
        lineage = keyLineage;
        flow.kind(RulePipeline.Kind.RELATION);
    }

    private Expression aggregateValue(final AggregateCall call, final List<Aggregate> aggregates)
    {
        final AggregateFunction function =
            AggregateFunction.valueOf(((CqlAggregate) call.getAggregation()).getName());
        Expression argument = call.getArgList().isEmpty() ? null : row.get(call.getArgList().get(0));
        if (function == AggregateFunction.COUNT && argument instanceof Expression.Literal literal &&
            literal.value() != null)
        {
            argument = null;
        }
        final CqlType type = CqlTypes.toCql(call.getType());
        aggregates.add(new Aggregate(function, argument, type));
        return new Expression.AggregateValue(aggregates.size() - 1, type, function != AggregateFunction.COUNT);
    }

    /** Completes the open operator, or a filter and projection, with the current row as its output. */
    private void close(final List<String> names)
    {
        final Expression condition = conditions.isEmpty() ? null : conditions.size() == 1 ? conditions.get(0)
            : ExpressionTranslator.call(Operation.AND, CqlType.BOOLEAN, conditions.toArray(new Expression[0]));
        checkTexts(condition);
        final List<Field> fields = new ArrayList<>();
        final List<ColumnOrigin> result = new ArrayList<>();
        final List<CqlType> types = new ArrayList<>();
        for (int i = 0; i < row.size(); i++)
        {
            fields.add(new Field(names.get(i), row.get(i)));
            result.add(lineageOf(row.get(i)));
            types.add(row.get(i).type());
        }
        final Operator last = open;
        open = null;
        if (last instanceof LookupJoin join)
        {
            flow.add(next -> new LookupJoin(join.relation(), join.key(), condition, fields, next));
        }
        else if (last instanceof GroupedAggregate group)
        {
            flow.add(next -> new GroupedAggregate(group.keys(), group.aggregates(), condition, fields, next));
        }
        else if (last instanceof FixedPattern pattern && condition == null &&
            row.stream().allMatch(Column.class::isInstance))
        {
            final List<Field> measures = new ArrayList<>();
            for (final Field field : fields)
            {
                measures.add(new Field(field.name(),
                    pattern.measures().get(((Column) field.expression()).column()).expression()));
            }
            flow.add(next -> new FixedPattern(pattern.partitionBy(), pattern.conditions(), pattern.allMatches(),
                measures, next));
        }
        else
        {
            if (last instanceof FixedPattern pattern)
            {
                flow.add(next -> new FixedPattern(pattern.partitionBy(), pattern.conditions(), pattern.allMatches(),
                    pattern.measures(), next));
            }
            flow.add(next -> new Calc(condition, fields, next));
        }
        flow.result(List.copyOf(names), types, result);
        if (last == null && isNowRelation())
        {
            flow.kind(RulePipeline.Kind.NOW_RELATION);
        }
    }

    private boolean isNowRelation()
    {
        return statement.statement().toStream() == ToStream.NONE &&
            statement.statement().sources().get(0).window() == FlatWindow.NOW;
    }

    /** The smallest or largest string of a group is one of the strings of its argument. */
    private ColumnOrigin textLineage(final Aggregate aggregate)
    {
        final ColumnOrigin origin = aggregate.type() == CqlType.CHAR && aggregate.argument() != null
            ? lineageOf(aggregate.argument()) : ColumnOrigin.COMPUTED;
        return origin.type() == null ? ColumnOrigin.COMPUTED : new ColumnOrigin(origin.type(), origin.property(), -1);
    }

    private ColumnOrigin lineageOf(final Expression expression)
    {
        if (expression instanceof Expression.AggregateValue value)
        {
            return aggregateLineage.get(value.aggregate());
        }
        if (expression instanceof Column column)
        {
            return lineage.get(column.column());
        }
        if (expression instanceof PriorColumn prior)
        {
            return lineage.get(prior.column());
        }
        if (expression instanceof Expression.KeyValue key)
        {
            return lineage.get(key.key());
        }
        if (expression instanceof Expression.RelationColumn column)
        {
            return new ColumnOrigin(cacheType, cacheType.properties().get(column.column()).name(), -1);
        }
        return ColumnOrigin.COMPUTED;
    }

    private void checkTexts(final Expression expression)
    {
        if (!(expression instanceof Expression.Call call))
        {
            return;
        }
        call.arguments().forEach(this::checkTexts);
        if (call.arguments().size() == 2 && call.arguments().get(0).type() == CqlType.CHAR &&
            call.arguments().get(1).type() == CqlType.CHAR)
        {
            checkTexts(call.arguments().get(0), call.arguments().get(1));
        }
    }

    private void checkTexts(final Expression left, final Expression right)
    {
        if (left instanceof Expression.Literal || right instanceof Expression.Literal)
        {
            return;
        }
        if (lineageOf(left).type() == null || lineageOf(right).type() == null)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, null,
                "comparison of a column with a column that holds a constant",
                "compare with the constant itself");
        }
    }
}
