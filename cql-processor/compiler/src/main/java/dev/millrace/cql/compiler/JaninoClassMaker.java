package dev.millrace.cql.compiler;

/**
 * Creates classes by compiling with Janino, or from stored results of an earlier compilation; equal texts share a
 * class. Thread-safe.
 */
public final class JaninoClassMaker implements ClassMaker
{
    private final ClassMaker maker;

    public JaninoClassMaker()
    {
        this(ClassStore.NONE);
    }

    /**
     * No class of Janino is loaded as long as the store finds the source text.
     *
     * @param store stores class files; the classes that a text refers to must be the same for every parent class loader
     */
    public JaninoClassMaker(final ClassStore store)
    {
        maker = new SharedClassMaker(new KeptClassMaker(
            (className, javaText, parent) -> new JaninoCompiler().compile(className, javaText, parent), store));
    }

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        return maker.make(className, javaText, parent);
    }
}
