package dev.millrace.cql.compiler;

/** Makes classes with Janino, or of what Janino has made for the same text before. Safe for all threads. */
public final class JaninoClassMaker implements ClassMaker
{
    private final ClassMaker maker;

    /** Makes a maker that compiles every time. */
    public JaninoClassMaker()
    {
        this(ClassStore.NONE);
    }

    /**
     * Makes a maker. No class of Janino is loaded as long as the store has what is asked for.
     *
     * @param store keeps class files; the classes that texts name must be the same whatever parent a text is made with
     */
    public JaninoClassMaker(final ClassStore store)
    {
        maker = new KeptClassMaker(
            (className, javaText, parent) -> new JaninoCompiler().compile(className, javaText, parent), store);
    }

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        return maker.make(className, javaText, parent);
    }
}
