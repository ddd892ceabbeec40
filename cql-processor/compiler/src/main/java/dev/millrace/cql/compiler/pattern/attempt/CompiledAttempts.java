package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import dev.millrace.cql.runtime.pattern.attempt.AttemptSetup;
import dev.millrace.cql.runtime.state.StateShape;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * A pattern whose attempts are records, as a class.
 *
 * @param javaText    of the class, for people
 * @param constructor of the class
 * @param state       what it keeps, for people
 * @param shape       by which its state is known again
 */
public record CompiledAttempts(String javaText, Constructor<?> constructor, String state, StateShape shape)
{
    /**
     * Makes a pattern without state.
     *
     * @param setup what it is tied to
     * @return the pattern, for one thread
     */
    public AttemptPattern instantiate(final AttemptSetup setup)
    {
        try
        {
            final AttemptPattern pattern = (AttemptPattern)constructor.newInstance(setup);
            pattern.shape(shape);
            return pattern;
        }
        catch (final InvocationTargetException | InstantiationException | IllegalAccessException failure)
        {
            throw new IllegalStateException("generated class cannot be made, please report this with the rules: " +
                "class=" + constructor.getDeclaringClass().getSimpleName(), failure);
        }
    }
}
