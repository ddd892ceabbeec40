package dev.millrace.cql.compiler.janino;

/**
 * Names of generated classes. A name is derived only from the source text, so that rules which were compiled before, in
 * another order or by another process, are found under it. Classes of one name have separate class loaders, so a
 * collision of names is harmless.
 */
public final class GeneratedName
{
    private GeneratedName()
    {
    }

    /**
     * The name of a class.
     *
     * @param javaText source text that contains the common placeholder name
     * @return the name to substitute for the placeholder
     */
    public static String of(final String javaText, final String anyName)
    {
        return anyName + '_' + Integer.toHexString(javaText.hashCode());
    }
}
