package dev.millrace.cql.compiler;

import java.util.concurrent.FutureTask;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.commons.compiler.InternalCompilerException;
import org.codehaus.janino.SimpleCompiler;

/**
 * Makes classes with Janino: 2 to 4 ms each, and works on a runtime image without {@code jdk.compiler}. Text that nests
 * too deep for the caller's stack is compiled once more by a thread with a large one.
 */
public final class JaninoClassMaker implements ClassMaker
{
    private static final long LARGE_STACK_BYTES = 256L << 20;

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        try
        {
            return compiled(className, javaText, parent);
        }
        catch (final CompileException | InternalCompilerException | StackOverflowError tooDeep)
        {
            if (!isTooDeep(tooDeep))
            {
                throw failure(className, tooDeep);
            }
        }
        final FutureTask<Class<?>> task = new FutureTask<>(() -> compiled(className, javaText, parent));
        final Thread thread = new Thread(null, task, "compiler-of-" + className, LARGE_STACK_BYTES);
        thread.start();
        try
        {
            return task.get();
        }
        catch (final InterruptedException interrupted)
        {
            Thread.currentThread().interrupt();
            throw failure(className, interrupted);
        }
        catch (final java.util.concurrent.ExecutionException failed)
        {
            throw failure(className, failed.getCause());
        }
    }

    private static boolean isTooDeep(final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof StackOverflowError)
            {
                return true;
            }
        }
        return false;
    }

    private static IllegalStateException failure(final String className, final Throwable cause)
    {
        return new IllegalStateException("generated class does not compile, please report this with the rules: " +
            "class=" + className + ": " + cause.getMessage(), cause);
    }

    private static Class<?> compiled(final String className, final String javaText, final ClassLoader parent)
        throws CompileException
    {
        final SimpleCompiler compiler = new SimpleCompiler();
        compiler.setParentClassLoader(parent);
        compiler.setDebuggingInformation(true, true, false);
        compiler.cook(className + ".java", javaText);
        try
        {
            return compiler.getClassLoader().loadClass(className);
        }
        catch (final ClassNotFoundException missing)
        {
            throw failure(className, missing);
        }
    }
}
