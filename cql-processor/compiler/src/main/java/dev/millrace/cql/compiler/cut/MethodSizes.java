package dev.millrace.cql.compiler.cut;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.codehaus.janino.util.ClassFile;

/** Tells how long methods are. Keeps no state. */
public final class MethodSizes
{
    /** Bytes of a method that Java compiles: HugeMethodLimit. */
    public static final int MOST_COMPILED = 8_000;

    private MethodSizes()
    {
    }

    /**
     * Methods that Java would never compile. Constructors run once and are none of them.
     *
     * @param classFiles of a text
     * @return their names
     */
    public static Set<String> large(final ClassFile[] classFiles)
    {
        final Set<String> large = new HashSet<>();
        for (final ClassFile each : classFiles)
        {
            of(each).forEach((method, sizeBytes) ->
            {
                if (sizeBytes > MOST_COMPILED && !LargeMethods.isConstructor(method))
                {
                    // Janino adds $ to private methods.
                    large.add(method.substring(0, method.indexOf('(')).replace("$", ""));
                }
            });
        }
        return large;
    }

    /**
     * Lengths of the code of all methods.
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
