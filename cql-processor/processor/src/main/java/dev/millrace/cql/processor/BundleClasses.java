package dev.millrace.cql.processor;

/**
 * Makes the bundle's class loader the thread's own while Calcite and Janino work: both look up classes by name
 * through the thread, and in a server that loader belongs to whoever deploys.
 */
final class BundleClasses
{
    private BundleClasses()
    {
    }

    /**
     * Sets the bundle's class loader.
     *
     * @return the loader before, for {@link #leave}
     */
    static ClassLoader enter()
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(BundleClasses.class.getClassLoader());
        return before;
    }

    /**
     * Restores the loader.
     *
     * @param before what {@link #enter} gave
     */
    static void leave(final ClassLoader before)
    {
        Thread.currentThread().setContextClassLoader(before);
    }
}
