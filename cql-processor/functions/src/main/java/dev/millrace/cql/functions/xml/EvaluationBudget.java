package dev.millrace.cql.functions.xml;

import dev.millrace.api.time.Clock;
import java.util.function.Supplier;

/** Limits the cost of one evaluation. Confined to one thread. */
final class EvaluationBudget
{
    /** Maximum number of items that the loops of one evaluation may process. */
    static final int MAX_STEPS = 2_000_000;
    /** Maximum duration of one evaluation. */
    static final long MAX_TIME_NS = 1_000_000_000L;

    private static final int STEPS_PER_READING = 1024;
    private static final ThreadLocal<EvaluationBudget> CURRENT = new ThreadLocal<>();

    private final long endNs = Clock.SYSTEM.epochNs() + MAX_TIME_NS;
    private int steps;

    private EvaluationBudget()
    {
    }

    /** Runs work within a new budget, unless a budget is already active on this thread. */
    static <T> T within(final Supplier<T> work)
    {
        if (CURRENT.get() != null)
        {
            return work.get();
        }
        CURRENT.set(new EvaluationBudget());
        try
        {
            return work.get();
        }
        finally
        {
            CURRENT.remove();
        }
    }

    /** The budget of the current evaluation; {@code null} while source text is compiled. */
    static EvaluationBudget current()
    {
        return CURRENT.get();
    }

    /** Counts a step. */
    void step()
    {
        steps++;
        if (steps > MAX_STEPS)
        {
            throw XmlErrors.failure("an evaluation of more than " + MAX_STEPS + " steps");
        }
        if (steps % STEPS_PER_READING == 0 && Clock.SYSTEM.epochNs() > endNs)
        {
            throw XmlErrors.failure("an evaluation of more than " + MAX_TIME_NS / 1_000_000 + " ms");
        }
    }
}
