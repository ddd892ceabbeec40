package dev.millrace.server.extender.context;

import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.network.definition.DeploymentException;

/** Runs code of an application: with its class loader as the context class loader of the calling thread. */
public final class ApplicationCode
{
    private final ClassLoader classLoader;

    private final ApplicationAssembler assembler;

    /** Work that runs code of the application. */
    @FunctionalInterface
    public interface Work
    {
        void run() throws DeploymentException;
    }

    /** @param assembler locates problems in the files of the application */
    public ApplicationCode(final ClassLoader classLoader, final ApplicationAssembler assembler)
    {
        this.classLoader = classLoader;
        this.assembler = assembler;
    }

    /** Runs work. */
    public void run(final Work work) throws DeploymentException
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try
        {
            work.run();
        }
        finally
        {
            thread.setContextClassLoader(before);
        }
    }

    /** Runs work whose problems have no position yet: they get that of their stage. */
    public void runLocated(final Work work) throws DeploymentException
    {
        run(() ->
        {
            try
            {
                work.run();
            }
            catch (final DeploymentException e)
            {
                throw assembler.located(e);
            }
        });
    }
}
