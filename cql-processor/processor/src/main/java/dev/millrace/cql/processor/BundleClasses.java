package dev.millrace.cql.processor;

/**
 * Sets the bundle's class loader as the context class loader of the thread while Calcite and Janino run: both load
 * classes by name through it, and in a server the thread has the loader of the deploying code.
 */
final class BundleClasses
{
    private BundleClasses()
    {
    }

    /**
     * Sets the bundle's class loader.
     *
     * @return the previous loader, for {@link #leave}
     */
    static ClassLoader enter()
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(BundleClasses.class.getClassLoader());
        return before;
    }

    /**
     * Restores the previous loader.
     *
     * @param before result of {@link #enter}
     */
    static void leave(final ClassLoader before)
    {
        Thread.currentThread().setContextClassLoader(before);
    }
}
