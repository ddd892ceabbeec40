package dev.millrace.cql.compiler.split;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.Java;
import org.codehaus.janino.Parser;
import org.codehaus.janino.Scanner;
import org.codehaus.janino.Unparser;

/**
 * Rewrites a class so that its large methods become several small ones. Variables that several methods need become
 * fields, so instances must be used by one thread, and the methods must not be recursive.
 *
 * <p>Stateless.
 */
public final class LargeMethodSplitter
{
    private static final String CONSTRUCTOR = "new";
    /** Maximum size of a constructor: it runs once, so it need only be small enough for the JVM. */
    private static final int MOST_IN_CONSTRUCTOR = 30_000;
    /**
     * Maximum characters of a method: compile time grows with the square of its length. Shorter methods are measured in
     * bytes.
     */
    private static final int MOST_CHARACTERS = 16_000;
    private static final Pattern PART = Pattern.compile("part\\d+_(.*)__\\d+");
    private static final String END_OF_METHOD = "\n  }\n";
    private static final String BODY = "bodyOf__";

    private LargeMethodSplitter()
    {
    }

    /**
     * Whether methods of a class may be split.
     *
     * @param javaText one compilation unit
     * @return true for units: one thread uses an instance, and no method is recursive
     */
    public static boolean canCut(final String javaText)
    {
        return javaText.contains(" extends Unit {");
    }

    /**
     * Splits methods.
     *
     * @param javaText one compilation unit with one class
     * @param names    of the methods to split; very long ones are always split
     * @param most     maximum characters per part, where statements can be separated
     * @return source text of the same class
     * @throws CompileException when the source text is not valid Java
     */
    public static String cut(final String javaText, final Set<String> names, final int most) throws CompileException
    {
        if (names.isEmpty() && !hasLong(javaText))
        {
            return javaText;
        }
        final Java.CompilationUnit unit = parse(javaText);
        final Java.AbstractClassDeclaration type =
            (Java.AbstractClassDeclaration)unit.getPackageMemberTypeDeclarations()[0];
        final List<Java.FunctionDeclarator> functions = new ArrayList<>(type.getMethodDeclarations());
        functions.addAll(type.constructors);
        final List<MethodSplitter> cut = new ArrayList<>();
        boolean hasConstructor = false;
        for (final Java.FunctionDeclarator function : functions)
        {
            final boolean isConstructor = function instanceof Java.ConstructorDeclarator;
            final int limit = isConstructor ? MOST_IN_CONSTRUCTOR : names.contains(function.name) ? most :
                MOST_CHARACTERS;
            if (MethodSplitter.isLonger(function, limit))
            {
                cut.add(new MethodSplitter(function, "part" + cut.size() + '_' +
                    (isConstructor ? CONSTRUCTOR : function.name) + "__", isConstructor ? MOST_IN_CONSTRUCTOR : most));
                replace(function, BODY + (cut.size() - 1) + "__();");
                hasConstructor |= isConstructor;
            }
        }
        return text(unit, cut, hasConstructor);
    }

    /** Whether a method may be too long: a quick look, since parsing the text takes half as long as compiling it. */
    private static boolean hasLong(final String javaText)
    {
        int start = 0;
        while (javaText.length() - start > MOST_CHARACTERS)
        {
            final int end = javaText.indexOf(END_OF_METHOD, start);
            if (end < 0 || end - start > MOST_CHARACTERS)
            {
                return true;
            }
            start = end + END_OF_METHOD.length();
        }
        return false;
    }

    /**
     * The original method of a part.
     *
     * @param name of a method of a class that may have been split
     */
    public static String cutFrom(final String name)
    {
        final Matcher part = PART.matcher(name);
        return part.matches() ? part.group(1) : name;
    }

    /**
     * Whether a method runs only once.
     *
     * @param name of a method of a class that may have been split
     * @return true for the constructor and its parts
     */
    public static boolean isConstructor(final String name)
    {
        return name.startsWith("<init>") || name.matches("part\\d+_" + CONSTRUCTOR + "__.*");
    }

    private static String text(
        final Java.CompilationUnit unit, final List<MethodSplitter> cut, final boolean hasConstructor)
    {
        final StringWriter writer = new StringWriter();
        Unparser.unparse(unit, writer);
        String text = writer.toString();
        final StringBuilder members = new StringBuilder();
        for (int i = 0; i < cut.size(); i++)
        {
            text = text.replace(BODY + i + "__();", cut.get(i).body());
            members.append(cut.get(i).members());
        }
        // Only the constructor itself may set a final field.
        text = hasConstructor ? text.replace("private final ", "private ") : text;
        final int end = text.lastIndexOf('}');
        return text.substring(0, end) + members + text.substring(end);
    }

    private static Java.CompilationUnit parse(final String javaText) throws CompileException
    {
        try
        {
            return (Java.CompilationUnit)new Parser(new Scanner(null, new StringReader(javaText)))
                .parseAbstractCompilationUnit();
        }
        catch (final IOException impossible)
        {
            throw new IllegalStateException("a string cannot be read", impossible);
        }
    }

    @SuppressWarnings("unchecked")
    private static void replace(final Java.FunctionDeclarator function, final String statement) throws CompileException
    {
        try
        {
            final List<Java.BlockStatement> statements = (List<Java.BlockStatement>)function.statements;
            statements.clear();
            statements.add(new Parser(new Scanner(null, new StringReader(statement))).parseStatement());
        }
        catch (final IOException impossible)
        {
            throw new IllegalStateException("a string cannot be read", impossible);
        }
    }
}
