package dev.millrace.assembly.epn;

import java.util.Set;

/** Namespace URIs of assembly files. */
public final class Namespaces
{
    /** The namespace of Oracle Event Processing, so that its files can be read unchanged. */
    public static final String WLEVS = "http://www.bea.com/ns/wlevs/spring";
    /** Millrace's name of the same namespace. */
    public static final String EPN = "https://millrace.dev/ns/epn";
    /** Spring's beans. */
    public static final String BEANS = "http://www.springframework.org/schema/beans";

    static final Set<String> STAGES = Set.of(WLEVS, EPN);

    private Namespaces()
    {
    }
}
