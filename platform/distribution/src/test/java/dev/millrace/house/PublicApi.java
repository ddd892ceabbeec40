package dev.millrace.house;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a module as text: a line for each type that users can access, and an indented line for each of its
 * public and protected members. Immutable.
 *
 * @param types members by line of their type
 */
record PublicApi(Map<String, Set<String>> types)
{
    private static final String INDENT = "    ";

    private static final String CLASS = ".class";

    private static final int VISIBLE = Modifier.PUBLIC | Modifier.PROTECTED;

    /** The API of classes. */
    static PublicApi of(final List<Class<?>> classes)
    {
        final Map<String, Set<String>> types = new TreeMap<>();
        classes.stream().filter(PublicApi::isVisible).forEach(type -> types.put(line(type), members(type)));
        return new PublicApi(types);
    }

    /** The API of compiled classes, which this class loader also loads. */
    static PublicApi ofDirectory(final Path classes) throws IOException
    {
        try (Stream<Path> files = Files.walk(classes))
        {
            return of(files.map(file -> classes.relativize(file).toString())
                .filter(file -> file.endsWith(CLASS) && !file.endsWith("-info" + CLASS)).sorted()
                .<Class<?>>map(file -> load(file.substring(0, file.length() - CLASS.length()))).toList());
        }
    }

    private static Class<?> load(final String file)
    {
        try
        {
            return Class.forName(file.replace(File.separatorChar, '.'), false, PublicApi.class.getClassLoader());
        }
        catch (final ClassNotFoundException e)
        {
            throw new IllegalStateException("a compiled class is not on the class path, class=" + file, e);
        }
    }

    static PublicApi parse(final List<String> lines)
    {
        final Map<String, Set<String>> types = new TreeMap<>();
        String type = "";
        for (final String line : lines)
        {
            if (line.startsWith(INDENT))
            {
                types.get(type).add(line.substring(INDENT.length()));
            }
            else if (!line.startsWith("#") && !line.isBlank())
            {
                type = line;
                types.put(type, new TreeSet<>());
            }
        }
        return new PublicApi(types);
    }

    String text()
    {
        return types.entrySet().stream().map(type -> type.getKey() + '\n' + type.getValue().stream()
            .map(member -> INDENT + member + '\n').collect(Collectors.joining())).collect(Collectors.joining());
    }

    /**
     * Returns changes from this API to the next one that break users: what is absent or different, and methods that
     * implementers lack.
     */
    List<String> incompatible(final PublicApi next)
    {
        final List<String> changes = new ArrayList<>();
        types.forEach((type, members) ->
        {
            final Set<String> now = next.types.get(type);
            if (now == null)
            {
                changes.add("removed: " + type);
                return;
            }
            members.stream().filter(member -> !now.contains(member))
                .forEach(member -> changes.add("removed: " + member + ", of " + type));
            now.stream().filter(member -> !members.contains(member) && isToImplement(member))
                .forEach(member -> changes.add("to implement: " + member + ", of " + type));
        });
        return changes;
    }

    /** Elements of annotations with a default need not be written. */
    private static boolean isToImplement(final String member)
    {
        return member.contains(" abstract ") && !member.contains("() default ");
    }

    private static boolean isVisible(final Class<?> type)
    {
        return !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic()
            && (type.getModifiers() & VISIBLE) != 0
            && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
    }

    private static String line(final Class<?> type)
    {
        final List<String> parents = new ArrayList<>();
        if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class)
        {
            parents.add(type.getGenericSuperclass().getTypeName());
        }
        Arrays.stream(type.getGenericInterfaces()).map(Type::getTypeName).forEach(parents::add);
        return type.toGenericString() + (parents.isEmpty() ? "" : " < " + String.join(", ", parents));
    }

    private static Set<String> members(final Class<?> type)
    {
        final Set<String> lines = new TreeSet<>();
        Stream.of(type.getDeclaredFields()).filter(field -> isVisible(field, type)).map(PublicApi::line)
            .forEach(lines::add);
        Stream.of(type.getDeclaredConstructors()).filter(each -> isVisible(each, type))
            .map(Constructor::toGenericString).forEach(lines::add);
        Stream.of(type.getDeclaredMethods()).filter(method -> isVisible(method, type) && !method.isBridge())
            .map(PublicApi::line).forEach(lines::add);
        return lines;
    }

    /** Protected members of final classes are not accessible. */
    private static boolean isVisible(final Member member, final Class<?> type)
    {
        final int visible = Modifier.isFinal(type.getModifiers()) ? Modifier.PUBLIC : VISIBLE;
        return !member.isSynthetic() && (member.getModifiers() & visible) != 0;
    }

    /** A field; with its value if compilers copy it into the code of users. */
    private static String line(final Field field)
    {
        final boolean isCopied = Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers())
            && (field.getType().isPrimitive() || field.getType() == String.class);
        return field.toGenericString() + (isCopied ? " = " + value(field) : "");
    }

    private static Object value(final Field field)
    {
        try
        {
            field.setAccessible(true);
            return field.get(null);
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException("a field cannot be read, field=" + field, e);
        }
    }

    /** A method; an element of an annotation with its default. */
    private static String line(final Method method)
    {
        final Object value = method.getDefaultValue();
        return method.toGenericString() + (value == null ? "" : " default "
            + (value instanceof final Object[] all ? Arrays.toString(all) : value));
    }

    /** Writes the API below a comment. */
    void write(final Path file, final String comment) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "# " + comment + '\n' + text());
    }
}
