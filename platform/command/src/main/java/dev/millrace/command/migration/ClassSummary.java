package dev.millrace.command.migration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The declaration of a class, with internal names.
 *
 * @param superName  {@code null} for Object
 * @param methods    access flags by name and descriptor
 * @param fields     access flags by name
 * @param isGeneric  whether it has type parameters
 */
record ClassSummary(String name, int access, String superName, List<String> interfaces, Map<String, Integer> methods,
    Map<String, Integer> fields, boolean isGeneric)
{
    static final int API = Opcodes.ASM9;

    static ClassSummary of(final byte[] bytes)
    {
        final Collector collector = new Collector();
        new ClassReader(bytes).accept(collector, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        return collector.summary;
    }

    boolean isInterface()
    {
        return (access & Opcodes.ACC_INTERFACE) != 0;
    }

    /** Whether objects of the class itself can exist. */
    boolean isConcrete()
    {
        return (access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT)) == 0;
    }

    boolean isAbstract(final String method)
    {
        return (methods.get(method) & Opcodes.ACC_ABSTRACT) != 0;
    }

    private static final class Collector extends ClassVisitor
    {
        private ClassSummary summary;

        Collector()
        {
            super(API);
        }

        @Override
        public void visit(final int version, final int access, final String name, final String signature,
            final String superName, final String[] interfaces)
        {
            summary = new ClassSummary(name, access, superName, interfaces == null ? List.of() : List.of(interfaces),
                new HashMap<>(), new HashMap<>(), signature != null && signature.startsWith("<"));
        }

        @Override
        public MethodVisitor visitMethod(final int access, final String name, final String descriptor,
            final String signature, final String[] exceptions)
        {
            summary.methods.put(name + descriptor, access);
            return null;
        }

        @Override
        public FieldVisitor visitField(final int access, final String name, final String descriptor,
            final String signature, final Object value)
        {
            summary.fields.put(name, access);
            return null;
        }
    }
}
