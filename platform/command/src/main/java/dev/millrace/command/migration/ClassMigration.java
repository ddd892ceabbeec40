package dev.millrace.command.migration;

import dev.millrace.network.definition.SourcePosition;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Maps the names in the classes of one application. Not thread-safe. */
final class ClassMigration
{
    private final OldNames names;
    private final ClassIndex index;
    private final MigrationReport report;
    private final Set<String> packages = new TreeSet<>();

    /**
     * @param index contains the classes of the application, with old names in their descriptors
     */
    ClassMigration(final OldNames names, final ClassIndex index, final MigrationReport report)
    {
        this.names = names;
        this.index = index;
        this.report = report;
    }

    /** Returns the packages of all classes that the migrated classes refer to, except their own. */
    Set<String> packages()
    {
        return packages;
    }

    /**
     * Maps a class.
     *
     * @param location of the file or entry, for messages
     * @return new class file; equal to the old one if it does not use the old API
     */
    byte[] migrate(final String location, final byte[] bytes)
    {
        final ClassReader reader = new ClassReader(bytes);
        final ClassWriter writer = new ClassWriter(0);
        final NameMapper mapper = new NameMapper(location);
        reader.accept(new ClassRemapper(new MemberCheck(writer, index, report, location), mapper), 0);
        return mapper.used.isEmpty() ? bytes : writer.toByteArray();
    }

    /** Checks that a migrated class implements the methods of the counterparts of its interfaces. */
    void checkImplements(final String location, final ClassSummary migrated)
    {
        final Set<String> hierarchy = index.hierarchy(migrated.name());
        if (!migrated.isConcrete() || hierarchy.stream().map(index::find).anyMatch(each ->
            each.superName() != null && index.find(each.superName()) == null))
        {
            return;
        }
        for (final String name : hierarchy)
        {
            final ClassSummary required = index.find(name);
            if (name.startsWith(MemberCheck.PLATFORM) && required.isInterface() && !index.isOwn(name))
            {
                required.methods().keySet().stream().filter(required::isAbstract).filter(method ->
                    hierarchy.stream().map(index::find).noneMatch(each ->
                        each.methods().containsKey(method) && !each.isAbstract(method)))
                    .forEach(method -> report.problem("CMD-0282", new SourcePosition(location, 0, 0),
                        "the class does not implement a method of the counterpart, class=" +
                        migrated.name().replace('/', '.') + " counterpart=" + name.replace('/', '.') + " method=" +
                        method, "add the method to the source, and compile it against millrace-api"));
            }
        }
    }

    private final class NameMapper extends Remapper
    {
        private final String location;
        private final Set<String> used = new HashSet<>();

        NameMapper(final String location)
        {
            super(ClassSummary.API);
            this.location = location;
        }

        @Override
        public String map(final String internalName)
        {
            if (index.isOwn(internalName))
            {
                return internalName;
            }
            final String name = internalName.replace('/', '.');
            final String target = names.counterpart(name);
            addPackage(target == null ? name : target);
            if (target == null)
            {
                final String hint = names.hint(name);
                if (hint != null)
                {
                    report.noCounterpart(new SourcePosition(location, 0, 0), name, hint);
                }
                return internalName;
            }
            if (used.add(name))
            {
                report.mapped(name, target);
            }
            return target.replace('.', '/');
        }

        private void addPackage(final String name)
        {
            if (name.indexOf('.') > 0 && !name.startsWith("java."))
            {
                packages.add(name.substring(0, name.lastIndexOf('.')));
            }
        }

        /** Names in strings, for example of {@code Class.forName}. */
        @Override
        public Object mapValue(final Object value)
        {
            final String target = value instanceof String text ? names.classes().get(text) : null;
            if (target == null)
            {
                return super.mapValue(value);
            }
            addPackage(target);
            used.add((String)value);
            return target;
        }
    }
}
