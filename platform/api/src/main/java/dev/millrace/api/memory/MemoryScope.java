package dev.millrace.api.memory;

import java.util.List;

/**
 * The accounts of one running application: opened under its name, and closed together when it ends, so that nothing
 * stays taken by what has gone.
 *
 * <p>Safe for all threads.
 */
public final class MemoryScope implements AutoCloseable
{
    private final MemoryBudget budget;
    private final String application;

    /**
     * Makes a scope without accounts.
     *
     * @param budget      of the instance
     * @param application name that holders get; two versions of an application have a scope each
     */
    public MemoryScope(final MemoryBudget budget, final String application)
    {
        this.budget = budget;
        this.application = application;
    }

    /**
     * A scope of a budget of its own that refuses nothing, for tests and for tools that run outside an instance.
     *
     * @return a new one
     */
    public static MemoryScope unlimited()
    {
        return new MemoryScope(MemoryBudget.unlimited(), "");
    }

    /**
     * Opens an account.
     *
     * @param stage id of the stage; empty for what all stages share
     * @param rule  id of the rule; empty when there is none
     * @param part  what it is
     * @return empty; to be closed with the state, and at the latest with the scope
     */
    public MemoryAccount open(final String stage, final String rule, final String part)
    {
        return budget.open(this, new MemoryHolder(application, stage, rule, part));
    }

    /**
     * Who holds how much.
     *
     * @return the greatest first; holders with nothing are left out
     */
    public List<MemoryBudget.Usage> usages()
    {
        return budget.usages(this);
    }

    /** Gives back what all accounts hold, when nothing of the application runs any more. */
    @Override
    public void close()
    {
        budget.close(this);
    }
}
