package dev.millrace.cql.compiler.split;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.codehaus.janino.util.ClassFile;

/** Measures methods. Stateless. */
public final class MethodSizes
{
    /** Maximum bytecode length of a method that the JVM compiles: HugeMethodLimit. */
    public static final int MOST_COMPILED = 8_000;

    private MethodSizes()
    {
    }

    /**
     * Names of methods that the JVM would never compile. Constructors run once and are not included.
     *
     * @param classFiles of a source text
     */
    public static Set<String> large(final List<ClassFile> classFiles)
    {
        final Set<String> large = new HashSet<>();
        for (final ClassFile each : classFiles)
        {
            of(each).forEach((method, sizeBytes) ->
            {
                if (sizeBytes > MOST_COMPILED && !LargeMethodSplitter.isConstructor(method))
                {
                    // Janino adds $ to the names of private methods.
                    large.add(method.substring(0, method.indexOf('(')).replace("$", ""));
                }
            });
        }
        return large;
    }

    /**
     * Bytecode length of all methods.
     *
     * @param classFile bytes of a class
     * @return bytes by name and descriptor
     */
    public static Map<String, Integer> of(final byte[] classFile)
    {
        try
        {
            return of(new ClassFile(new ByteArrayInputStream(classFile)));
        }
        catch (final IOException impossible)
        {
            throw new IllegalStateException("bytes cannot be read", impossible);
        }
    }

    private static Map<String, Integer> of(final ClassFile classFile)
    {
        final Map<String, Integer> sizes = new HashMap<>();
        for (final ClassFile.MethodInfo method : classFile.methodInfos)
        {
            for (final ClassFile.AttributeInfo attribute : method.getAttributes())
            {
                if (attribute instanceof ClassFile.CodeAttribute code)
                {
                    sizes.put(method.getName() + method.getDescriptor(), code.code.length);
                }
            }
        }
        return sizes;
    }
}
