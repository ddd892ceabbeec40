package dev.millrace.api.memory;

import java.util.List;

/**
 * The accounts of one running application: opened under its name, and closed together when it ends, so that no memory
 * stays charged.
 *
 * <p>Thread-safe.
 */
public final class MemoryScope implements AutoCloseable
{
    private final MemoryBudget budget;
    private final String application;

    /**
     * Creates a scope without accounts.
     *
     * @param budget      of the instance
     * @param application name of the holders; two versions of an application have separate scopes
     */
    public MemoryScope(final MemoryBudget budget, final String application)
    {
        this.budget = budget;
        this.application = application;
    }

    /**
     * Creates a scope of a separate budget that refuses nothing, for tests and for tools that run outside an instance.
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
     * @param stage id of the stage; empty for state that all stages share
     * @param rule  id of the rule; empty when no rule is concerned
     * @param part  kind of the state
     * @return empty; to be closed with the state, and at the latest with the scope
     */
    public MemoryAccount open(final String stage, final String rule, final String part)
    {
        return budget.open(this, new MemoryHolder(application, stage, rule, part));
    }

    /**
     * Returns the memory of each holder.
     *
     * @return largest first; holders without memory are omitted
     */
    public List<MemoryBudget.Usage> usages()
    {
        return budget.usages(this);
    }

    /** Releases the memory of all accounts, when nothing of the application is running any more. */
    @Override
    public void close()
    {
        budget.close(this);
    }
}
