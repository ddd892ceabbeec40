package dev.millrace.cql.planner.pipeline;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A statement, separated from the value that one of its columns must equal: filters and projections, one of which
 * requires {@code column = literal}, an aggregation of a window or none, and an output. Two statements with equal
 * shapes may run as one. Immutable.
 *
 * @param value    literal that the column must equal
 * @param column   column of the input rows from which the key derives; -1 if the key is computed
 * @param repeated output columns that only repeat the value
 * @param shape    the rest of the statement
 * @param output   output of the statement
 */
record TemplateInstance(
    Expression.Literal value, int column, Set<Integer> repeated, Shape shape, Operator.Output output)
{
    /** Generated code writes rows column by column where it creates them: more columns would lead to long methods. */
    private static final int MAX_COLUMNS = 30;
    private static final Set<CqlType> KEYS = Set.of(CqlType.CHAR, CqlType.INT, CqlType.BIGINT);

    /**
     * The common part of the members of a family.
     *
     * @param steps  filters and projections; the key is the last column of the last step
     * @param window aggregation without consumers or {@code null}
     * @param fields output columns
     * @param types  types of the output columns
     */
    record Shape(List<Operator.Calc> steps, Operator.WindowAggregate window, List<Field> fields, List<CqlType> types,
        Operator.OutputKind kind)
    {
        /** The operators of a family. */
        Operator with(final List<Expression.Literal> values, final List<Operator> outputs)
        {
            final Field key = steps.get(steps.size() - 1).fields().get(steps.get(steps.size() - 1).fields().size() - 1);
            Operator next = new Operator.KeyedOutputs(
                new Expression.Column(steps.get(steps.size() - 1).fields().size() - 1, key.expression().type(), true),
                values, window, fields, outputs);
            for (int i = steps.size() - 1; i >= 0; i--)
            {
                next = new Operator.Calc(steps.get(i).condition(), steps.get(i).fields(), List.of(next));
            }
            return next;
        }
    }

    /**
     * All decompositions of a statement into a value and a shape, one per equality in its conditions.
     *
     * @param root operators of the statement
     * @return empty if the statement has no such form
     */
    static List<TemplateInstance> of(final Operator root)
    {
        final List<Operator.Calc> steps = new ArrayList<>();
        Operator operator = root;
        while (operator instanceof Operator.Calc calc && calc.consumers().size() == 1)
        {
            steps.add(calc);
            operator = calc.consumers().get(0);
        }
        Operator.WindowAggregate window = null;
        if (operator instanceof Operator.WindowAggregate aggregate && aggregate.consumers().size() == 1)
        {
            window = aggregate;
            operator = aggregate.consumers().get(0);
        }
        if (!(operator instanceof Operator.Output output) || output.kind() == Operator.OutputKind.NOW_RELATION ||
            output.type().properties().size() > MAX_COLUMNS || output.type().properties().stream()
                .anyMatch(property -> property.type().storage() == ColumnStorage.REFERENCE) ||
            steps.stream().anyMatch(TemplateInstance::canFail))
        {
            return List.of();
        }
        final List<TemplateInstance> found = new ArrayList<>();
        for (int step = 0; step < steps.size(); step++)
        {
            for (final Expression conjunct : Conditions.conjuncts(steps.get(step).condition()))
            {
                final TemplateInstance member = member(steps, step, conjunct, window, output);
                if (member != null)
                {
                    found.add(member);
                }
            }
        }
        return found;
    }

    /** Rows of other values must not fail in steps that they would not reach in the separate statements. */
    private static boolean canFail(final Operator.Calc calc)
    {
        return Conditions.canFail(calc.condition()) ||
            calc.fields().stream().anyMatch(field -> Conditions.canFail(field.expression()));
    }

    private static TemplateInstance member(final List<Operator.Calc> steps, final int step, final Expression conjunct,
        final Operator.WindowAggregate window, final Operator.Output output)
    {
        if (!(conjunct instanceof Expression.Call call) || call.operation() != Operation.EQUAL ||
            !(call.arguments().get(0) instanceof Expression.Column column) ||
            !(call.arguments().get(1) instanceof Expression.Literal literal) || literal.type() != column.type() ||
            !KEYS.contains(literal.type()) || literal.value() == null || literal.value().equals(""))
        {
            return null;
        }
        final int from = origin(steps, step, column.column());
        final List<Operator.Calc> keyed = new ArrayList<>(steps.subList(0, step));
        Set<Integer> repeated = Set.of();
        Expression key = column;
        for (int i = step; i < steps.size(); i++)
        {
            final Operator.Calc calc = steps.get(i);
            // A string that repeats the value is replaced with the column itself.
            final List<Field> fields = new ArrayList<>();
            final Set<Integer> literals = new HashSet<>();
            for (int field = 0; field < calc.fields().size(); field++)
            {
                final Expression expression = calc.fields().get(field).expression();
                final boolean stands = from >= 0 && expression.equals(literal);
                final boolean passes = expression instanceof Expression.Column of && repeated.contains(of.column());
                if (stands || passes)
                {
                    literals.add(field);
                }
                fields.add(new Field("c" + fields.size(), stands ? key : expression));
            }
            repeated = literals;
            fields.add(new Field("c" + fields.size(), key));
            keyed.add(new Operator.Calc(i == step ? without(calc.condition(), conjunct) : calc.condition(), fields,
                List.of()));
            key = new Expression.Column(fields.size() - 1, literal.type(), true);
        }
        return window == null ? passing(literal, from, repeated, keyed, output) :
            windowed(literal, from, repeated, keyed, window, output);
    }

    /** The column of the statement's input that a column of a step copies, or -1. */
    private static int origin(final List<Operator.Calc> steps, final int step, final int column)
    {
        int from = column;
        for (int i = step - 1; i >= 0; i--)
        {
            if (!(steps.get(i).fields().get(from).expression() instanceof Expression.Column next))
            {
                return -1;
            }
            from = next.column();
        }
        return from;
    }

    private static Expression without(final Expression condition, final Expression conjunct)
    {
        final List<Expression> rest = new ArrayList<>(Conditions.conjuncts(condition));
        rest.remove(conjunct);
        return ExpressionTranslator.all(rest);
    }

    private static TemplateInstance passing(final Expression.Literal value, final int from, final Set<Integer> repeated,
        final List<Operator.Calc> steps, final Operator.Output output)
    {
        final List<CqlType> types = types(output.type());
        final List<Field> fields = IntStream.range(0, types.size())
            .mapToObj(i -> new Field("c" + i, new Expression.Column(i, types.get(i), true))).toList();
        return new TemplateInstance(value, from, repeated, new Shape(steps, null, fields, types, output.kind()),
            output);
    }

    private static TemplateInstance windowed(final Expression.Literal value, final int from,
        final Set<Integer> texts, final List<Operator.Calc> steps, final Operator.WindowAggregate window,
        final Operator.Output output)
    {
        final int key = steps.get(steps.size() - 1).fields().size() - 1;
        final Expression own = steps.get(steps.size() - 1).fields().get(key).expression();
        for (final Expression each : window.keys())
        {
            if (!(each instanceof Expression.Column column) || texts.contains(column.column()) ||
                !steps.get(steps.size() - 1).fields().get(column.column()).expression().equals(own))
            {
                return null;
            }
        }
        final Set<Integer> repeated = new HashSet<>();
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < window.fields().size(); i++)
        {
            final Expression expression = window.fields().get(i).expression();
            final boolean stands = from >= 0 && expression.equals(value);
            if (stands)
            {
                repeated.add(i);
            }
            fields.add(new Field("c" + i, stands ? new Expression.KeyValue(0, value.type(), true) : expression));
        }
        final Operator.WindowAggregate shape = new Operator.WindowAggregate(window.window(), window.keys(),
            window.aggregates(), window.having(), fields, List.of());
        return new TemplateInstance(value, from, repeated,
            new Shape(steps, shape, fields, types(output.type()), output.kind()), output);
    }

    private static List<CqlType> types(final EventType type)
    {
        return type.properties().stream().map(property -> property.type()).toList();
    }
}
