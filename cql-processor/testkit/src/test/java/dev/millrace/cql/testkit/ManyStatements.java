package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Several statements over one stream of random rows: the engine compared with the interpreter. */
final class ManyStatements
{
    static final Interpreter.Input INPUT = new Interpreter.Input("S", false, List.of("c", "i", "l", "d"),
        List.of(Type.CHAR, Type.INT, Type.BIGINT, Type.DOUBLE), List.of());
    private static final int MOST_VALUES = 6;

    private ManyStatements()
    {
    }

    /**
     * Runs rules over rows and checks that each query emits the rows that the interpreter computes.
     *
     * @param seed  for messages
     * @param rules over {@link #INPUT}
     * @return how the rules were run
     */
    static ProcessorPlan check(final long seed, final Random random, final List<Interpreter.Rule> rules)
        throws CqlException
    {
        final List<Interpreter.Arrival> arrivals = arrivals(random, 1 + random.nextInt(MOST_VALUES));
        final Interpreter interpreter = new Interpreter(List.of(INPUT), rules);
        final Interpreter.Result wanted = interpreter.run(arrivals);
        final EngineRunner engine = new EngineRunner(List.of(INPUT), rules,
            new CompiledCase.Variant(CompiledCase.Mode.DEFAULT, false, true));
        final Reference.Outcome found = engine.run(arrivals, 1 + random.nextInt(random.nextBoolean() ? 7 : 256));
        wanted.outputs().forEach((query, rows) ->
        {
            final List<CaseRow> want = rows.stream().map(row ->
                CaseRow.of(row.timeNs(), row.kind(), row.values(), interpreter.types(query))).toList();
            assertThat(found.rows()).as("seed %d %s", seed, query).containsKey(query);
            assertThat(Comparison.difference(found.rows().get(query), want, interpreter.isStream(query), true))
                .as("seed %d %s of %s", seed, query, rules).isNull();
        });
        return engine.plan();
    }

    /** Sums are exact in every order. */
    private static List<Interpreter.Arrival> arrivals(final Random random, final int values)
    {
        final List<Interpreter.Arrival> arrivals = new ArrayList<>();
        final int nulls = random.nextInt(3);
        long timeNs = 0;
        for (int i = random.nextInt(160); i >= 0; i--)
        {
            timeNs += (1 + random.nextInt(3)) * (random.nextInt(20) == 0 ? 4_000_000L : 500_000L);
            if (random.nextInt(25) == 0)
            {
                arrivals.add(new Interpreter.Arrival(timeNs - 1, "S", 'h', new Object[0]));
            }
            final Object[] row = {"" + (char)('a' + random.nextInt(values)), random.nextInt(values),
                (long)random.nextInt(values), random.nextInt(40) / 8.0};
            for (int column = 0; column < row.length; column++)
            {
                if (nulls > 0 && random.nextInt(5 * nulls) == 0)
                {
                    row[column] = null;
                }
            }
            arrivals.add(new Interpreter.Arrival(timeNs, "S", '+', row));
        }
        arrivals.add(new Interpreter.Arrival(timeNs + random.nextInt(12_000_000), "S", 'h', new Object[0]));
        return arrivals;
    }
}
