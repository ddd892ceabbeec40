package dev.millrace.cql.compiler.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.BoxedExpressions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Call;
import dev.millrace.cql.plan.expression.Expression.Literal;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.plan.expression.Operation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Proofs of {@link Disjointness} hold for all values of small domains, which include null, NaN and both zeros, and
 * every case that its rules cover is proven.
 */
@Tag("slow")
@Timeout(120)
class DisjointnessTest
{
    private static final long DEFAULT_SEED = 20261124;
    private static final int PAIRS = 30_000;
    private static final List<Operation> COMPARISONS = List.of(Operation.LESS, Operation.LESS_OR_EQUAL,
        Operation.EQUAL, Operation.NOT_EQUAL, Operation.GREATER_OR_EQUAL, Operation.GREATER);

    /** A type with the values that its columns may have, and some that are constants in conditions. */
    private enum Domain
    {
        WHOLE(CqlType.INT, Arrays.asList(null, -1, 0, 1, 2), List.of(0, 1)),
        FLOATING(CqlType.DOUBLE, Arrays.asList(null, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, Double.NaN,
            Double.POSITIVE_INFINITY), List.of(0.0, -0.0, 0.5, 1.0, Double.NaN, Double.POSITIVE_INFINITY)),
        DECIMAL(CqlType.BIGDECIMAL, Arrays.asList(null, new BigDecimal("-1"), new BigDecimal("1.0"),
            new BigDecimal("1.00"), new BigDecimal("2")), List.of(new BigDecimal("1"), new BigDecimal("1.00"),
            new BigDecimal("1.5"))),
        TEXT(CqlType.CHAR, Arrays.asList(null, "a", "b", "ab"), List.of("a", "b", "")),
        TRUTH(CqlType.BOOLEAN, Arrays.asList(null, true, false), List.of(true, false));

        private final CqlType type;
        private final List<Object> values;
        private final List<Object> constants;

        Domain(final CqlType type, final List<?> values, final List<?> constants)
        {
            this.type = type;
            this.values = new ArrayList<>(values);
            this.constants = List.copyOf(constants);
        }

        private Expression column(final int index)
        {
            return new Expression.Column(index, type, true);
        }

        private List<Expression> literals()
        {
            return constants.stream().map(each -> (Expression)new Literal(each, type)).toList();
        }

        private List<Expression> terms()
        {
            final List<Expression> terms = new ArrayList<>(List.of(column(0), column(1)));
            if (type.isNumeric())
            {
                terms.add(new Call(Operation.ADD, List.of(column(0), column(1)), type, true));
                terms.add(new Call(Operation.NEGATE, List.of(column(0)), type, true));
            }
            else if (this == TRUTH)
            {
                terms.add(call(Operation.IS_NULL, column(0)));
                terms.add(call(Operation.OR, column(0), column(1)));
            }
            return terms;
        }
    }

    private static Expression call(final Operation operation, final Expression... arguments)
    {
        return new Call(operation, List.of(arguments), CqlType.BOOLEAN, true);
    }

    /** Conditions without AND, OR and NOT. */
    private static List<Expression> atoms(final Domain domain)
    {
        final List<Expression> atoms = new ArrayList<>();
        final List<Expression> literals = domain.literals();
        for (final Expression term : domain.terms())
        {
            final List<Expression> others = new ArrayList<>(domain.terms());
            others.addAll(literals);
            for (final Operation operation : COMPARISONS)
            {
                others.forEach(other -> atoms.add(call(operation, term, other)));
                atoms.add(call(operation, literals.get(0), term));
            }
            atoms.add(call(Operation.IS_NULL, term));
            atoms.add(call(Operation.IS_NOT_NULL, term));
            atoms.add(call(Operation.IN, term, literals.get(0)));
            atoms.add(call(Operation.IN, term, literals.get(0), literals.get(1)));
            atoms.add(call(Operation.IN, term, domain.column(1), literals.get(1)));
            if (domain == Domain.TEXT)
            {
                atoms.add(call(Operation.LIKE, term, new Literal("b", CqlType.CHAR)));
            }
            else if (domain == Domain.TRUTH)
            {
                atoms.add(term);
            }
        }
        return atoms;
    }

    private static boolean[] truth(final Domain domain, final Expression condition)
    {
        final boolean[] truth = new boolean[domain.values.size() * domain.values.size()];
        for (int i = 0; i < truth.length; i++)
        {
            final List<Object> row = Arrays.asList(domain.values.get(i / domain.values.size()),
                domain.values.get(i % domain.values.size()));
            truth[i] = Boolean.TRUE.equals(new BoxedExpressions(leaf -> row.get(((Expression.Column)leaf).column()))
                .value(condition));
        }
        return truth;
    }

    private static boolean meet(final boolean[] one, final boolean[] other)
    {
        for (int i = 0; i < one.length; i++)
        {
            if (one[i] && other[i])
            {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @EnumSource
    void shouldProveNothingThatIsWrongOfSimpleConditions(final Domain domain)
    {
        final List<Expression> atoms = atoms(domain);
        List.copyOf(atoms).forEach(atom -> atoms.add(call(Operation.NOT, atom)));
        final List<boolean[]> truths = atoms.stream().map(atom -> truth(domain, atom)).toList();
        int proved = 0;
        for (int i = 0; i < atoms.size(); i++)
        {
            for (int j = 0; j < atoms.size(); j++)
            {
                if (Disjointness.areDisjoint(atoms.get(i), atoms.get(j)))
                {
                    proved++;
                    assertThat(meet(truths.get(i), truths.get(j))).as("%s and %s", atoms.get(i), atoms.get(j))
                        .isFalse();
                }
            }
        }
        assertThat(proved).as("proofs").isGreaterThan(atoms.size());
    }

    @ParameterizedTest
    @EnumSource
    void shouldProveNothingThatIsWrongOfNestedConditions(final Domain domain)
    {
        final long seed = Long.getLong("seed", DEFAULT_SEED);
        final Random random = new Random(seed);
        // Few, so that equal ones occur.
        final List<Expression> atoms = new ArrayList<>(atoms(domain));
        int proved = 0;
        for (int i = 0; i < PAIRS; i++)
        {
            final List<Expression> few = List.of(any(atoms, random), any(atoms, random), any(atoms, random));
            final Expression one = nested(few, 2, random);
            final Expression other = nested(few, 2, random);
            if (Disjointness.areDisjoint(one, other))
            {
                proved++;
                assertThat(meet(truth(domain, one), truth(domain, other))).as("seed=%s %s and %s", seed, one, other)
                    .isFalse();
            }
        }
        assertThat(proved).as("proofs").isGreaterThan(PAIRS / 100);
    }

    private static Expression any(final List<Expression> all, final Random random)
    {
        return all.get(random.nextInt(all.size()));
    }

    private static Expression nested(final List<Expression> atoms, final int depth, final Random random)
    {
        return switch (depth == 0 ? 0 : random.nextInt(4))
        {
            case 0 -> any(atoms, random);
            case 1 -> call(Operation.NOT, nested(atoms, depth - 1, random));
            case 2 -> call(Operation.AND, nested(atoms, depth - 1, random), nested(atoms, depth - 1, random));
            default -> call(Operation.OR, nested(atoms, depth - 1, random), nested(atoms, depth - 1, random));
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldProveWhatComparisonsOfTheSameTermsSay(final Domain domain)
    {
        final Expression x = domain.column(0);
        final Expression y = domain.column(1);
        final Expression[][] disjoint = {
            {call(Operation.LESS, x, y), call(Operation.GREATER, x, y)},
            {call(Operation.LESS, x, y), call(Operation.LESS_OR_EQUAL, y, x)},
            {call(Operation.EQUAL, x, y), call(Operation.NOT_EQUAL, y, x)},
            {call(Operation.LESS_OR_EQUAL, x, y), call(Operation.GREATER, x, y)},
            {call(Operation.EQUAL, x, y), call(Operation.NOT, call(Operation.EQUAL, x, y))},
            {call(Operation.IS_NULL, x), call(Operation.LESS, x, y)},
            {call(Operation.IS_NULL, x), call(Operation.IS_NOT_NULL, x)},
            {call(Operation.AND, call(Operation.IS_NOT_NULL, y), call(Operation.LESS, x, y)),
                call(Operation.AND, call(Operation.GREATER, x, y), call(Operation.IS_NOT_NULL, x))},
            {call(Operation.OR, call(Operation.LESS, x, y), call(Operation.EQUAL, x, y)),
                call(Operation.GREATER, x, y)}};
        for (final Expression[] pair : disjoint)
        {
            assertThat(Disjointness.areDisjoint(pair[0], pair[1])).as("%s and %s", pair[0], pair[1]).isTrue();
            assertThat(Disjointness.areDisjoint(pair[1], pair[0])).as("%s and %s", pair[1], pair[0]).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldProveThatATermHasNoTwoConstants(final Domain domain)
    {
        final Expression x = domain.column(0);
        final Expression low = new Literal(domain == Domain.FLOATING ? 0.5 : domain.constants.get(0), domain.type);
        final Expression high =
            new Literal(domain == Domain.DECIMAL ? new BigDecimal("1.5") : domain == Domain.FLOATING ? 1.0 :
                domain.constants.get(1), domain.type);
        assertThat(Disjointness.areDisjoint(call(Operation.EQUAL, x, low), call(Operation.EQUAL, high, x))).isTrue();
        assertThat(Disjointness.areDisjoint(call(Operation.IN, x, low), call(Operation.IN, x, high))).isTrue();
        assertThat(Disjointness.areDisjoint(call(Operation.LESS, x, low), call(Operation.GREATER, x, high)))
            .isEqualTo(domain.type.isNumeric());
    }

    @Test
    void shouldProveNothingOfFunctionsThatDoNotRepeat() throws ReflectiveOperationException
    {
        for (final boolean isRepeatable : new boolean[]{true, false})
        {
            final FunctionRef function = new FunctionRef("f", null, null,
                MethodHandles.publicLookup().findStatic(Math.class, "random", MethodType.methodType(double.class)),
                false, isRepeatable);
            final Expression value = new Expression.FunctionCall(function, List.of(), CqlType.DOUBLE);
            final Expression half = new Literal(0.5, CqlType.DOUBLE);
            assertThat(Disjointness.areDisjoint(call(Operation.LESS, value, half),
                call(Operation.GREATER, value, half))).isEqualTo(isRepeatable);
        }
    }
}
