package dev.millrace.command.migration;

import dev.millrace.network.definition.SourcePosition;
import java.util.regex.Pattern;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Checks that the counterparts have the members that a class uses. It receives the class with the new names. It also
 * removes generic signatures with type arguments of counterparts, which have no type parameters.
 */
final class MemberCheck extends ClassVisitor
{
    static final String PLATFORM = "dev/millrace/";

    private static final Pattern WITH_ARGUMENTS = Pattern.compile("L" + PLATFORM + "[^;<]*<");

    private final ClassIndex index;
    private final MigrationReport report;
    private final String location;
    private String className;

    MemberCheck(final ClassVisitor next, final ClassIndex index, final MigrationReport report, final String location)
    {
        super(ClassSummary.API, next);
        this.index = index;
        this.report = report;
        this.location = location;
    }

    private static String raw(final String signature)
    {
        return signature != null && WITH_ARGUMENTS.matcher(signature).find() ? null : signature;
    }

    @Override
    public void visit(final int version, final int access, final String name, final String signature,
        final String superName, final String[] interfaces)
    {
        className = name;
        super.visit(version, access, name, raw(signature), superName, interfaces);
    }

    @Override
    public FieldVisitor visitField(final int access, final String name, final String descriptor,
        final String signature, final Object value)
    {
        return super.visitField(access, name, descriptor, raw(signature), value);
    }

    @Override
    public AnnotationVisitor visitAnnotation(final String descriptor, final boolean visible)
    {
        return new AttributeCheck(super.visitAnnotation(descriptor, visible), Type.getType(descriptor));
    }

    @Override
    public MethodVisitor visitMethod(final int access, final String name, final String descriptor,
        final String signature, final String[] exceptions)
    {
        return new CodeCheck(super.visitMethod(access, name, descriptor, raw(signature), exceptions));
    }

    private void method(final String owner, final String name, final String descriptor)
    {
        if (owner.startsWith(PLATFORM) && !index.isOwn(owner) && !index.declares(owner, declared ->
            declared.methods().containsKey(name + descriptor)) && !index.declares("java/lang/Object", declared ->
                declared.methods().containsKey(name + descriptor)))
        {
            missing("method", owner, "<init>".equals(name) ? "constructor" + descriptor : name + descriptor);
        }
    }

    private void field(final String owner, final String name)
    {
        if (owner.startsWith(PLATFORM) && !index.isOwn(owner) &&
            !index.declares(owner, declared -> declared.fields().containsKey(name)))
        {
            missing("field", owner, name);
        }
    }

    private void missing(final String kind, final String owner, final String member)
    {
        final String target = owner.replace('/', '.');
        report.problem("CMD-0281", new SourcePosition(location, 0, 0),
            "the counterpart does not have this member, class=" + className.replace('/', '.') + " counterpart=" +
            target + ' ' + kind + '=' + member,
            "change the source to what " + target + " has, and compile it against millrace-api");
    }

    private final class AttributeCheck extends AnnotationVisitor
    {
        private final Type type;

        AttributeCheck(final AnnotationVisitor next, final Type type)
        {
            super(ClassSummary.API, next);
            this.type = type;
        }

        @Override
        public void visit(final String name, final Object value)
        {
            attribute(name);
            super.visit(name, value);
        }

        @Override
        public void visitEnum(final String name, final String descriptor, final String value)
        {
            attribute(name);
            super.visitEnum(name, descriptor, value);
        }

        private void attribute(final String name)
        {
            final String owner = type.getInternalName();
            if (owner.startsWith(PLATFORM) && !index.isOwn(owner) && !index.declares(owner, declared ->
                declared.methods().keySet().stream().anyMatch(method -> method.startsWith(name + "()"))))
            {
                missing("attribute", owner, name);
            }
        }
    }

    private final class CodeCheck extends MethodVisitor
    {
        CodeCheck(final MethodVisitor next)
        {
            super(ClassSummary.API, next);
        }

        @Override
        public AnnotationVisitor visitAnnotation(final String descriptor, final boolean visible)
        {
            return new AttributeCheck(super.visitAnnotation(descriptor, visible), Type.getType(descriptor));
        }

        @Override
        public void visitMethodInsn(final int opcode, final String owner, final String name, final String descriptor,
            final boolean isInterface)
        {
            method(owner, name, descriptor);
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitFieldInsn(final int opcode, final String owner, final String name, final String descriptor)
        {
            field(owner, name);
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(
            final String name, final String descriptor, final Handle bootstrap, final Object... arguments)
        {
            for (final Object argument : arguments)
            {
                if (argument instanceof Handle handle && handle.getDesc().startsWith("("))
                {
                    method(handle.getOwner(), handle.getName(), handle.getDesc());
                }
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }
    }
}
