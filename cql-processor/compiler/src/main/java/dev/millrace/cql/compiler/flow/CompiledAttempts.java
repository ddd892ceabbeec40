package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import dev.millrace.cql.runtime.pattern.attempt.AttemptSetup;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * A pattern whose attempts are records, as a class.
 *
 * @param javaText    of the class, for people
 * @param constructor of the class
 * @param state       what it keeps, for people
 */
record CompiledAttempts(String javaText, Constructor<?> constructor, String state)
{
    /** Makes a pattern without state. */
    AttemptPattern instantiate(final AttemptSetup setup)
    {
        try
        {
            return (AttemptPattern)constructor.newInstance(setup);
        }
        catch (final InvocationTargetException | InstantiationException | IllegalAccessException failure)
        {
            throw new IllegalStateException("generated class cannot be made, please report this with the rules: " +
                "class=" + constructor.getDeclaringClass().getSimpleName(), failure);
        }
    }
}
