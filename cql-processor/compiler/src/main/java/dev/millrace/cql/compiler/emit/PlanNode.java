package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/** An operator with the results of the generator's analysis. */
public final class PlanNode
{
    private static final int SHOWN_QUERIES = 8;

    public final Operator operator;
    public final int number;
    public final List<CqlType> inputTypes;
    public final List<PlanNode> consumers = new ArrayList<>();
    /** The source column that each input column repeats; -1 when it is computed or belongs to a relation. */
    public int[] sourceColumns = new int[0];
    /** Output columns that some consumer reads. */
    public final BitSet usedOutputs = new BitSet();

    PlanNode(final Operator operator, final int number, final List<CqlType> inputTypes)
    {
        this.operator = operator;
        this.number = number;
        this.inputTypes = inputTypes;
    }

    /** Columns of the input as expressions. */
    public List<Expression> inputColumns(final List<Integer> columns)
    {
        return columns.stream()
            .<Expression>map(column -> new Expression.Column(column, inputTypes.get(column), true)).toList();
    }

    /** Name of the operator in the source text. */
    public String name()
    {
        if (operator instanceof Operator.Calc)
        {
            return "calc" + number;
        }
        if (operator instanceof Operator.LookupJoin)
        {
            return "join" + number;
        }
        if (operator instanceof Operator.FixedPattern)
        {
            return "pattern" + number;
        }
        if (operator instanceof Operator.SequencePattern)
        {
            return "sequence" + number;
        }
        if (operator instanceof Operator.WindowAggregate)
        {
            return "window" + number;
        }
        if (operator instanceof Operator.WindowIStream)
        {
            return "entering" + number;
        }
        if (operator instanceof Operator.KeyedOutputs)
        {
            return "family" + number;
        }
        return (operator instanceof Operator.GroupedAggregate ? "aggregate" : "output") + number;
    }

    /** Its position, for messages: the queries that depend on it, and which operator it is. */
    public String describe()
    {
        final List<String> queries = new ArrayList<>();
        collectQueries(operator, queries);
        final int more = queries.size() - SHOWN_QUERIES;
        return "queries=" + (more > 1 ? queries.subList(0, SHOWN_QUERIES) + " and " + more + " more" : queries) +
            " operator=" + name();
    }

    private static void collectQueries(final Operator operator, final List<String> queries)
    {
        if (operator instanceof Operator.Output output)
        {
            queries.add(output.queryId());
        }
        operator.consumers().forEach(consumer -> collectQueries(consumer, queries));
    }

    public List<Field> fields()
    {
        if (operator instanceof Operator.Calc calc)
        {
            return calc.fields();
        }
        if (operator instanceof Operator.LookupJoin join)
        {
            return join.fields();
        }
        if (operator instanceof Operator.FixedPattern pattern)
        {
            return pattern.measures();
        }
        if (operator instanceof Operator.SequencePattern pattern)
        {
            return pattern.fields();
        }
        if (operator instanceof Operator.WindowAggregate window)
        {
            return window.fields();
        }
        if (operator instanceof Operator.WindowIStream entering)
        {
            return entering.fields();
        }
        if (operator instanceof Operator.KeyedOutputs keyed)
        {
            return keyed.fields();
        }
        return operator instanceof Operator.GroupedAggregate aggregate ? aggregate.fields() : List.of();
    }

    public List<CqlType> outputTypes()
    {
        return fields().stream().map(field -> field.expression().type()).toList();
    }

    /**
     * Finds {@link #usedOutputs} of this node and of all downstream nodes; returns the input columns that this node
     * reads.
     */
    BitSet findUsed()
    {
        for (final PlanNode consumer : consumers)
        {
            usedOutputs.or(consumer.findUsed());
        }
        final BitSet inputs = new BitSet();
        if (operator instanceof Operator.Output)
        {
            inputs.set(0, inputTypes.size());
            return inputs;
        }
        final Consumer<Expression> note = leaf -> noteInput(leaf, inputs);
        expressions().forEach(expression -> walk(expression, note));
        if (operator instanceof Operator.FixedPattern pattern)
        {
            pattern.partitionBy().forEach(inputs::set);
        }
        else if (operator instanceof Operator.SequencePattern pattern)
        {
            pattern.partitionBy().forEach(inputs::set);
        }
        return inputs;
    }

    private static void noteInput(final Expression leaf, final BitSet inputs)
    {
        if (leaf instanceof Expression.Column column)
        {
            inputs.set(column.column());
        }
        else if (leaf instanceof Expression.PriorColumn column)
        {
            inputs.set(column.column());
        }
    }

    /** All expressions whose values are needed: conditions, and fields that a consumer reads. */
    private List<Expression> expressions()
    {
        final List<Expression> found = new ArrayList<>();
        if (operator instanceof Operator.Calc calc)
        {
            found.add(calc.condition());
        }
        else if (operator instanceof Operator.LookupJoin join)
        {
            found.add(join.key());
            found.add(join.condition());
        }
        else if (operator instanceof Operator.FixedPattern pattern)
        {
            found.addAll(pattern.conditions());
        }
        else if (operator instanceof Operator.SequencePattern pattern)
        {
            found.add(pattern.start());
            found.add(pattern.value());
            found.add(pattern.bound());
            found.add(pattern.condition());
        }
        else if (operator instanceof Operator.GroupedAggregate aggregate)
        {
            found.addAll(aggregate.keys());
            aggregate.aggregates().forEach(each -> found.add(each.argument()));
        }
        else if (operator instanceof Operator.WindowAggregate window)
        {
            found.addAll(window.keys());
            window.aggregates().forEach(each -> found.add(each.argument()));
        }
        else if (operator instanceof Operator.KeyedOutputs keyed)
        {
            found.add(keyed.key());
            if (keyed.shape() != null)
            {
                keyed.shape().aggregates().forEach(each -> found.add(each.argument()));
            }
        }
        for (int i = 0; i < fields().size(); i++)
        {
            if (usedOutputs.get(i))
            {
                found.add(fields().get(i).expression());
            }
        }
        found.removeIf(expression -> expression == null);
        return found;
    }

    /** Visits an expression and all its subexpressions. */
    public static void walk(final Expression expression, final Consumer<Expression> visitor)
    {
        if (expression == null)
        {
            return;
        }
        visitor.accept(expression);
        if (expression instanceof Expression.Call call)
        {
            call.arguments().forEach(argument -> walk(argument, visitor));
        }
    }
}
