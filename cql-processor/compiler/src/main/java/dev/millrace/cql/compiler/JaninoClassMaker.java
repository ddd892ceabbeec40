package dev.millrace.cql.compiler;

import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/** Makes classes with Janino: 2 to 4 ms each, and works on a runtime image without {@code jdk.compiler}. */
public final class JaninoClassMaker implements ClassMaker
{
    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        try
        {
            final SimpleCompiler compiler = new SimpleCompiler();
            compiler.setParentClassLoader(parent);
            compiler.setDebuggingInformation(true, true, false);
            compiler.cook(className + ".java", javaText);
            return compiler.getClassLoader().loadClass(className);
        }
        catch (final CompileException | ClassNotFoundException e)
        {
            throw new IllegalStateException("generated class does not compile, please report this with the rules: " +
                "class=" + className + ": " + e.getMessage(), e);
        }
    }
}
