package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.cql.runtime.pattern.attempt.AttemptContext;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import dev.millrace.cql.runtime.state.StateSchema;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * A compiled pattern whose attempts are records.
 *
 * @param javaText    source text of the class, for diagnosis
 * @param constructor of the class
 * @param constants   objects that it expects in addition to the setup
 * @param state       description of its state, for people
 * @param shape       layout of its state
 */
public record CompiledAttempts(String javaText, Constructor<?> constructor, Object[] constants, String state,
    StateSchema shape)
{
    /** Creates a pattern without state. It is not thread-safe. */
    public AttemptPattern instantiate(final AttemptContext setup)
    {
        try
        {
            final AttemptPattern pattern = (AttemptPattern)constructor.newInstance(setup, constants);
            pattern.shape(shape);
            return pattern;
        }
        catch (final InvocationTargetException | InstantiationException | IllegalAccessException failure)
        {
            throw new IllegalStateException("cannot create a generated class, please report this with the rules: " +
                "class=" + constructor.getDeclaringClass().getSimpleName(), failure);
        }
    }
}
