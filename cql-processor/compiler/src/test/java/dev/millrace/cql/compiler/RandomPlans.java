package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Creates plans and rows from a seed: all operators, types and operations, and small domains so that values coincide.
 */
final class RandomPlans
{
    static final EventType SOURCE = EventType.tuple("Source", property("s", CqlType.CHAR), property("c", CqlType.CHAR),
        property("i", CqlType.INT), property("l", CqlType.BIGINT), property("f", CqlType.FLOAT),
        property("d", CqlType.DOUBLE), property("b", CqlType.BOOLEAN), property("t", CqlType.TIMESTAMP),
        property("x", CqlType.BIGDECIMAL));
    private static final List<CqlType> NUMBERS =
        List.of(CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE, CqlType.BIGDECIMAL);
    private static final List<CqlType> KEYS = List.of(CqlType.CHAR, CqlType.INT, CqlType.BIGINT, CqlType.FLOAT,
        CqlType.DOUBLE, CqlType.BOOLEAN, CqlType.TIMESTAMP);
    private static final String[] WORDS = {"IBM", "ORCL", "a", "\u00e4\ud83d\ude00", "quote\"'\\u0022;", "a\nb"};

    private final Random random;
    private final Map<String, Map<Object, List<Object>>> relations = new LinkedHashMap<>();
    private final boolean notNull;
    private int queries;
    /** NaN, infinity and overflow; not with aggregates, whose result would depend on the order of additions. */
    private final boolean special;

    /** A leaf of some type over the current rows. */
    private interface LeafMaker
    {
        Expression leaf(CqlType type);
    }

    RandomPlans(final long seed)
    {
        random = new Random(seed);
        notNull = random.nextInt(4) == 0;
        special = random.nextBoolean();
    }

    private static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    Map<String, Map<Object, List<Object>>> relations()
    {
        return relations;
    }

    PipelinePlan plan()
    {
        final List<CqlType> types = SOURCE.properties().stream().map(EventProperty::type).toList();
        final List<Operator> roots = new ArrayList<>();
        final int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++)
        {
            roots.add(operator(types, 0));
        }
        return new PipelinePlan("random \"plan\" \\u002a/ \n}", "channel\u0000\\u000a}", SOURCE,
            OrderingConstraint.ORDERED, -1, roots);
    }

    private List<Operator> consumers(final List<Field> fields, final int depth)
    {
        final List<CqlType> types = fields.stream().map(field -> field.expression().type()).toList();
        final List<Operator> made = new ArrayList<>();
        final int count = random.nextInt(4) == 0 ? 2 : 1;
        for (int i = 0; i < count; i++)
        {
            made.add(depth >= 2 || random.nextInt(3) == 0 ? output(types, false) : operator(types, depth + 1));
        }
        return made;
    }

    private Operator output(final List<CqlType> types, final boolean relation)
    {
        queries++;
        final EventProperty[] properties = new EventProperty[types.size()];
        for (int i = 0; i < properties.length; i++)
        {
            properties[i] = property("p" + i, types.get(i));
        }
        final Operator.OutputKind kind = relation ? Operator.OutputKind.RELATION :
            random.nextInt(5) == 0 ? Operator.OutputKind.NOW_RELATION : Operator.OutputKind.STREAM;
        return new Operator.Output("query*/\"" + queries, EventType.tuple("Out" + queries, properties), kind);
    }

    private Operator operator(final List<CqlType> types, final int depth)
    {
        final LeafMaker columns = type -> column(types, type);
        switch (depth == 0 && !special ? random.nextInt(5) : random.nextInt(4))
        {
            case 0:
                return output(types, false);
            case 1:
                return join(types, depth);
            case 2:
                return pattern(types, depth);
            case 4:
                return aggregate(columns);
            default:
                final List<Field> fields = fields(columns);
                final Expression condition = random.nextInt(3) == 0 ? null : condition(columns, 2);
                return new Operator.Calc(condition, fields, consumers(fields, depth));
        }
    }

    private Expression column(final List<CqlType> types, final CqlType type)
    {
        final int start = random.nextInt(types.size());
        for (int k = 0; k < types.size(); k++)
        {
            final int i = (start + k) % types.size();
            if (types.get(i) == type)
            {
                return new Expression.Column(i, type, true);
            }
        }
        return literal(type);
    }

    private Expression literal(final CqlType type)
    {
        return new Expression.Literal(random.nextInt(8) == 0 ? null : value(type), type);
    }

    private List<Field> fields(final LeafMaker leaves)
    {
        final List<Field> fields = new ArrayList<>();
        final int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++)
        {
            fields.add(new Field("field" + i, any(leaves)));
        }
        return fields;
    }

    private Expression any(final LeafMaker leaves)
    {
        final CqlType[] types = {CqlType.CHAR, CqlType.TIMESTAMP};
        return switch (random.nextInt(5))
        {
            case 0 -> leaves.leaf(types[random.nextInt(2)]);
            case 1 -> condition(leaves, 1);
            default -> number(leaves, NUMBERS.get(random.nextInt(NUMBERS.size())), random.nextInt(3));
        };
    }

    private Expression number(final LeafMaker leaves, final CqlType type, final int depth)
    {
        if (depth == 0 || random.nextInt(4) == 0)
        {
            return random.nextInt(4) == 0 ? literal(type) : leaves.leaf(type);
        }
        if (random.nextInt(5) == 0)
        {
            final boolean toDecimal = type == CqlType.BIGDECIMAL;
            final CqlType from = toDecimal ? (random.nextBoolean() ? CqlType.INT : CqlType.BIGINT) :
                NUMBERS.get(random.nextInt(NUMBERS.size()));
            return new Expression.Call(Operation.CONVERT, List.of(number(leaves, from, depth - 1)), type, true);
        }
        final Operation[] operations = {Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY, Operation.DIVIDE};
        if (random.nextInt(8) == 0)
        {
            return new Expression.Call(Operation.NEGATE, List.of(number(leaves, type, depth - 1)), type, true);
        }
        return new Expression.Call(operations[random.nextInt(4)],
            List.of(number(leaves, type, depth - 1), number(leaves, type, depth - 1)), type, true);
    }

    private Expression condition(final LeafMaker leaves, final int depth)
    {
        final int choice = random.nextInt(depth == 0 ? 4 : 9);
        return switch (choice)
        {
            case 0 -> random.nextInt(6) == 0 ? literal(CqlType.BOOLEAN) : leaves.leaf(CqlType.BOOLEAN);
            case 1 -> call(random.nextBoolean() ? Operation.IS_NULL : Operation.IS_NOT_NULL, any(leaves, depth));
            case 2, 3, 4 -> comparison(leaves, depth);
            case 5 -> call(Operation.NOT, condition(leaves, depth - 1));
            case 6 -> call(Operation.XOR, condition(leaves, depth - 1), condition(leaves, depth - 1));
            case 7 -> call(Operation.AND, condition(leaves, depth - 1), condition(leaves, depth - 1),
                condition(leaves, depth - 1));
            default -> call(Operation.OR, condition(leaves, depth - 1), condition(leaves, depth - 1));
        };
    }

    private Expression any(final LeafMaker leaves, final int depth)
    {
        return depth == 0 ? leaves.leaf(CqlType.DOUBLE) : any(leaves);
    }

    private static Expression call(final Operation operation, final Expression... arguments)
    {
        return new Expression.Call(operation, List.of(arguments), CqlType.BOOLEAN, true);
    }

    private Expression comparison(final LeafMaker leaves, final int depth)
    {
        final Operation[] operations = {Operation.EQUAL, Operation.NOT_EQUAL, Operation.LESS, Operation.LESS_OR_EQUAL,
            Operation.GREATER, Operation.GREATER_OR_EQUAL};
        final Operation operation = operations[random.nextInt(6)];
        if (random.nextInt(4) == 0)
        {
            final Expression left = leaves.leaf(CqlType.CHAR);
            if (left instanceof Expression.Literal)
            {
                return call(Operation.IS_NULL, left);
            }
            return call(operation, left, random.nextBoolean() ? literal(CqlType.CHAR) : leaves.leaf(CqlType.CHAR));
        }
        final CqlType type = NUMBERS.get(random.nextInt(NUMBERS.size()));
        return call(operation, number(leaves, type, depth), number(leaves, type, random.nextInt(2)));
    }

    private Operator join(final List<CqlType> types, final int depth)
    {
        final CqlType keyType = KEYS.get(random.nextInt(KEYS.size()));
        final EventType type = EventType.tuple("Relation" + relations.size(), property("v", CqlType.DOUBLE),
            property("k", keyType), property("w", CqlType.CHAR), property("y", CqlType.INT));
        final String id = "relation\"*/" + relations.size();
        final Map<Object, List<Object>> rows = new LinkedHashMap<>();
        for (int i = 0; i < 1 + random.nextInt(6); i++)
        {
            final Object key = BoxedExpressions.key(value(keyType));
            if (!(key instanceof Number number && Double.isNaN(number.doubleValue())))
            {
                rows.put(key, Arrays.asList(nullOr(CqlType.DOUBLE), key, nullOr(CqlType.CHAR), nullOr(CqlType.INT)));
            }
        }
        relations.put(id, rows);
        final LeafMaker both = wanted ->
        {
            for (int i = 0; i < 4 && random.nextBoolean(); i++)
            {
                if (type.properties().get(i).type() == wanted)
                {
                    return new Expression.RelationColumn(i, wanted, true);
                }
            }
            return column(types, wanted);
        };
        final Expression key = keyType == CqlType.CHAR ? column(types, keyType) :
            keyType.isNumeric() ? number(wanted -> column(types, wanted), keyType, random.nextInt(2)) :
            column(types, keyType);
        final List<Field> fields = fields(both);
        final Expression condition = random.nextBoolean() ? null : condition(both, 1);
        return new Operator.LookupJoin(
            new Operator.RelationSource(id, type, 1), key, condition, fields, consumers(fields, depth));
    }

    private Operator pattern(final List<CqlType> types, final int depth)
    {
        final List<Integer> partition = new ArrayList<>();
        final int keys = random.nextInt(3);
        for (int i = 0; i < keys; i++)
        {
            final int column = random.nextInt(types.size());
            if (KEYS.contains(types.get(column)))
            {
                partition.add(column);
            }
        }
        final int count = random.nextInt(12) == 0 ? 12 : random.nextInt(25) == 0 ? 40 : 1 + random.nextInt(4);
        final int reach = count - 1 + (random.nextInt(4) == 0 ? 2 : 0);
        final List<Expression> conditions = new ArrayList<>();
        for (int j = 0; j < count; j++)
        {
            final int upTo = random.nextInt(6) == 0 ? reach : j;
            conditions.add(random.nextInt(3) == 0 || count > 4 && j % 5 != 0 ? null :
                condition(type -> prior(types, type, upTo), 1));
        }
        if (count == 2 && random.nextBoolean())
        {
            conditions.set(0, null);
            conditions.set(1, call(Operation.GREATER, prior(types, CqlType.DOUBLE, 0), number(
                type -> prior(types, type, 1), CqlType.DOUBLE, 1)));
        }
        if (count > 2 && random.nextBoolean())
        {
            relate(conditions, types);
        }
        final List<Field> fields = fields(type -> prior(types, type, reach));
        return new Operator.FixedPattern(
            partition, conditions, random.nextInt(3) != 0, fields, consumers(fields, depth));
    }

    /** Conditions of a few comparisons, some of which share comparisons: disjunctions of conjunctions. */
    private void relate(final List<Expression> conditions, final List<CqlType> types)
    {
        final List<Expression> common = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            common.add(comparison(type -> prior(types, type, 1), 1));
        }
        for (int j = 1; j < conditions.size(); j++)
        {
            final int upTo = j;
            final Expression first = call(Operation.AND, comparison(type -> prior(types, type, upTo), 0),
                common.get(0));
            final Expression second = call(Operation.AND, common.get(1),
                comparison(type -> prior(types, type, upTo), 0));
            conditions.set(j, random.nextInt(5) == 0 ? null : random.nextInt(4) == 0 ? first :
                j == 1 ? call(Operation.OR, common.get(0), common.get(1)) : call(Operation.OR, first, second));
        }
    }

    private Expression prior(final List<CqlType> types, final CqlType type, final int upTo)
    {
        final Expression leaf = column(types, type);
        return leaf instanceof Expression.Column column ?
            new Expression.PriorColumn(random.nextInt(upTo + 1), column.column(), type, true) : leaf;
    }

    private Operator aggregate(final LeafMaker columns)
    {
        final List<Expression> keys = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--)
        {
            keys.add(columns.leaf(KEYS.get(random.nextInt(KEYS.size()))));
        }
        final List<Operator.Aggregate> aggregates = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--)
        {
            aggregates.add(aggregateFunction(columns));
        }
        final LeafMaker leaves = type -> groupLeaf(keys, aggregates, type);
        final List<Field> fields = fields(leaves);
        for (int i = 0; i < aggregates.size(); i++)
        {
            fields.add(new Field("a" + i, new Expression.AggregateValue(i, aggregates.get(i).type(), true)));
        }
        final List<CqlType> types = fields.stream().map(field -> field.expression().type()).toList();
        return new Operator.GroupedAggregate(keys, aggregates, random.nextInt(3) == 0 ? null : condition(leaves, 1),
            fields, random.nextInt(4) == 0 ? List.of(output(types, true), output(types, true)) :
            List.of(output(types, true)));
    }

    private Operator.Aggregate aggregateFunction(final LeafMaker columns)
    {
        final CqlType type = NUMBERS.get(random.nextInt(4));
        final Expression argument = random.nextInt(6) == 0 ? literal(type) : columns.leaf(type);
        return switch (random.nextInt(6))
        {
            case 0 -> new Operator.Aggregate(Operator.AggregateFunction.COUNT, null, CqlType.BIGINT);
            case 1 -> new Operator.Aggregate(Operator.AggregateFunction.COUNT, argument, CqlType.INT);
            case 2 -> new Operator.Aggregate(Operator.AggregateFunction.AVG, argument, CqlType.DOUBLE);
            case 3 -> new Operator.Aggregate(Operator.AggregateFunction.MIN, argument, type);
            case 4 -> new Operator.Aggregate(Operator.AggregateFunction.MAX, columns.leaf(CqlType.CHAR), CqlType.CHAR);
            default -> new Operator.Aggregate(
                Operator.AggregateFunction.SUM, argument, type == CqlType.INT ? CqlType.BIGINT : type);
        };
    }

    private Expression groupLeaf(
        final List<Expression> keys, final List<Operator.Aggregate> aggregates, final CqlType type)
    {
        for (int i = 0; i < aggregates.size(); i++)
        {
            if (aggregates.get(i).type() == type && random.nextInt(3) != 0)
            {
                return new Expression.AggregateValue(i, type, true);
            }
        }
        for (int i = 0; i < keys.size(); i++)
        {
            if (keys.get(i).type() == type)
            {
                return new Expression.KeyValue(i, type, true);
            }
        }
        return literal(type);
    }

    private Object nullOr(final CqlType type)
    {
        return random.nextInt(6) == 0 ? null : value(type);
    }

    private Object value(final CqlType type)
    {
        final double[] odd = {Double.NaN, -0.0, Double.POSITIVE_INFINITY, 1e300};
        return switch (type)
        {
            case CHAR -> WORDS[random.nextInt(WORDS.length)];
            case INT -> special && random.nextInt(20) == 0 ? Integer.MIN_VALUE : random.nextInt(7) - 3;
            case BIGINT, TIMESTAMP -> special && random.nextInt(20) == 0 ? Long.MIN_VALUE : random.nextInt(7) - 3L;
            case FLOAT -> special && random.nextInt(10) == 0 ? (float)odd[random.nextInt(4)] :
                random.nextInt(9) * 0.5F - 2F;
            case DOUBLE -> special && random.nextInt(10) == 0 ? odd[random.nextInt(4)] : random.nextInt(9) * 0.5 - 2;
            case BOOLEAN -> random.nextBoolean();
            case BIGDECIMAL -> new BigDecimal(random.nextInt(7) - 3).movePointLeft(random.nextInt(2));
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    /** Rows whose times never decrease; the caller decides whether two may be equal. */
    List<PlanInterpreter.Row> rows(final int count, final long fromNs, final boolean strict, final boolean origins,
        final boolean nulls)
    {
        final List<PlanInterpreter.Row> rows = new ArrayList<>();
        long time = fromNs;
        for (int i = 0; i < count; i++)
        {
            final List<Object> values = new ArrayList<>();
            SOURCE.properties().forEach(
                each -> values.add(nulls && !notNull ? nullOr(each.type()) : value(each.type())));
            rows.add(new PlanInterpreter.Row(values, time, origins ? (Long)(long)(i * 3 + 1) : null));
            time += strict ? 1 : random.nextInt(2);
        }
        return rows;
    }
}
