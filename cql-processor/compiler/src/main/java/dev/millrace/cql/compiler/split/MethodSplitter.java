package dev.millrace.cql.compiler.split;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.codehaus.janino.Java;
import org.codehaus.janino.Unparser;

/**
 * Splits a method: consecutive statements become a method, from the innermost blocks outwards, as long as a block is
 * too large. A variable becomes a field when several of the methods use it.
 *
 * <p>Not thread-safe; used for one method.
 */
final class MethodSplitter
{
    /** A declaration of a variable, by its number: with or without an initial value. */
    private static final Pattern DECLARATION = Pattern.compile("@(\\d+)([=;])");
    private static final Pattern VARIABLE = Pattern.compile(MethodVariables.MARK + "(\\d+)\\b");
    /** Minimum length: parts of a block become methods even when they are smaller than those of larger blocks. */
    private static final int LEAST = 100;

    private final String prefix;
    private final int most;
    private final MethodVariables variables;
    /** Statements of the methods. */
    private final List<String> parts = new ArrayList<>();
    /** The only part that uses a variable; -1 for a variable that is a field, -2 for one that no part uses. */
    private int[] partOf;

    /**
     * @param prefix first letters of all names
     * @param most   maximum characters per part
     */
    MethodSplitter(final Java.FunctionDeclarator function, final String prefix, final int most)
    {
        this.prefix = prefix;
        this.most = most;
        variables = new MethodVariables(function, prefix);
        final StringBuilder body = new StringBuilder();
        for (int i = 0; i < function.formalParameters.parameters.length; i++)
        {
            body.append('@').append(i).append("= ").append(function.formalParameters.parameters[i].name).append(";\n");
        }
        parts.add("");
        parts.set(0, body.append(list(function.statements).text).toString());
        assignParts();
    }

    /** A statement: its source text and whether it leaves an enclosing statement, so that it must not be moved. */
    private record Text(String text, boolean isLeaving, boolean isBreaking)
    {
        boolean mustStay()
        {
            return isLeaving || isBreaking;
        }
    }

    /** Whether a method that can be split is longer than a number of characters. */
    static boolean isLonger(final Java.FunctionDeclarator function, final int characters)
    {
        final boolean isStatic = function instanceof Java.MethodDeclarator method && method.isStatic();
        return !isStatic && function.statements != null &&
            text(unparser -> unparser.unparseStatements(function.statements)).length() > characters;
    }

    /** The replacement for the statements of the method. */
    String body()
    {
        return declared(0);
    }

    /** Fields and methods. */
    String members()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < partOf.length; i++)
        {
            if (partOf[i] == -1)
            {
                text.append("private ").append(variables.type(i)).append(' ').append(variables.name(i)).append(";\n");
            }
        }
        for (int i = 1; i < parts.size(); i++)
        {
            text.append("private void ").append(prefix).append(i).append("() {\n").append(declared(i)).append("}\n");
        }
        return text.toString();
    }

    private void assignParts()
    {
        partOf = new int[variables.count()];
        Arrays.fill(partOf, -2);
        for (int part = 0; part < parts.size(); part++)
        {
            for (final Pattern pattern : List.of(DECLARATION, VARIABLE))
            {
                final Matcher matcher = pattern.matcher(parts.get(part));
                while (matcher.find())
                {
                    final int number = Integer.parseInt(matcher.group(1));
                    partOf[number] = partOf[number] == -2 || partOf[number] == part ? part : -1;
                }
            }
        }
    }

    private String declared(final int part)
    {
        return DECLARATION.matcher(parts.get(part)).replaceAll(found ->
        {
            final int number = Integer.parseInt(found.group(1));
            final String name = variables.name(number);
            final String declaration = partOf[number] == -1 ? name : variables.type(number) + ' ' + name;
            return Matcher.quoteReplacement(found.group(2).equals("=") ? declaration + " =" :
                partOf[number] == -1 ? ";" : declaration + ';');
        });
    }

    private static String text(final Consumer<Unparser> unparse)
    {
        final StringWriter writer = new StringWriter();
        final Unparser unparser = new Unparser(writer);
        unparse.accept(unparser);
        unparser.flush();
        return writer.toString();
    }

    private static String value(final Java.Rvalue value)
    {
        return text(unparser -> unparser.unparseRvalue(value));
    }

    private Text list(final List<? extends Java.BlockStatement> statements)
    {
        List<Text> texts = new ArrayList<>();
        for (final Java.BlockStatement statement : statements)
        {
            texts.add(statement(statement));
        }
        while (length(texts) > most)
        {
            final List<Text> shorter = shorter(texts);
            if (length(shorter) >= length(texts))
            {
                break;
            }
            texts = shorter;
        }
        return joined(texts);
    }

    private static int length(final List<Text> texts)
    {
        return texts.stream().mapToInt(each -> each.text.length()).sum();
    }

    private static Text joined(final List<Text> texts)
    {
        return new Text(texts.stream().map(Text::text).collect(Collectors.joining()),
            texts.stream().anyMatch(Text::isLeaving), texts.stream().anyMatch(Text::isBreaking));
    }

    /** A list in which sequences of statements are replaced by calls. */
    private List<Text> shorter(final List<Text> texts)
    {
        final List<Text> shorter = new ArrayList<>();
        List<Text> run = new ArrayList<>();
        for (final Text each : texts)
        {
            if (each.mustStay() || !run.isEmpty() && length(run) + each.text.length() > most)
            {
                end(run, shorter);
                run = new ArrayList<>();
            }
            if (each.mustStay())
            {
                shorter.add(each);
            }
            else
            {
                run.add(each);
            }
        }
        end(run, shorter);
        return shorter;
    }

    private void end(final List<Text> run, final List<Text> shorter)
    {
        if (length(run) < LEAST)
        {
            shorter.addAll(run);
            return;
        }
        parts.add(joined(run).text);
        shorter.add(new Text(prefix + (parts.size() - 1) + "();\n", false, false));
    }

    private Text statement(final Java.BlockStatement statement)
    {
        if (statement instanceof Java.Block block)
        {
            return around("{\n", list(block.statements), "}\n");
        }
        if (statement instanceof Java.LocalVariableDeclarationStatement declaration &&
            Stream.of(declaration.variableDeclarators).allMatch(variables::has))
        {
            return new Text(Stream.of(declaration.variableDeclarators).map(each -> declaration(each) + "\n")
                .collect(Collectors.joining()), false, false);
        }
        if (statement instanceof Java.IfStatement choice)
        {
            final Text then = around("if (" + value(choice.condition) + ") ", block(choice.thenStatement), "");
            return choice.elseStatement == null ? then :
                joined(List.of(then, around("else ", block(choice.elseStatement), "")));
        }
        if (statement instanceof Java.ContinuableStatement loop && !(loop instanceof Java.ForEachStatement))
        {
            return loop(loop);
        }
        if (statement instanceof Java.TryStatement attempt)
        {
            return attempt(attempt);
        }
        final boolean isPlain = statement instanceof Java.ExpressionStatement ||
            statement instanceof Java.ThrowStatement || statement instanceof Java.EmptyStatement;
        final boolean isBreaking = statement instanceof Java.BreakStatement each && each.label == null ||
            statement instanceof Java.ContinueStatement other && other.label == null;
        return new Text(text(unparser -> unparser.unparseBlockStatement(statement)) + '\n', !isPlain && !isBreaking,
            isBreaking);
    }

    private String declaration(final Java.VariableDeclarator variable)
    {
        final int number = variables.number(variable);
        return variable.initializer == null ? "@" + number + ';' :
            "@" + number + "= " + value((Java.Rvalue)variable.initializer) + ';';
    }

    private static Text around(final String before, final Text text, final String behind)
    {
        return new Text(before + text.text + behind, text.isLeaving, text.isBreaking);
    }

    private Text block(final Java.BlockStatement statement)
    {
        return statement instanceof Java.Block ? statement(statement) :
            around("{\n", list(List.of(statement)), "}\n");
    }

    private Text loop(final Java.ContinuableStatement loop)
    {
        final Text body = block(loop.body);
        final Text closed = new Text(body.text, body.isLeaving, false);
        if (loop instanceof Java.WhileStatement repeated)
        {
            return around("while (" + value(repeated.condition) + ") ", closed, "");
        }
        if (loop instanceof Java.DoStatement repeated)
        {
            return around("do ", closed, "while (" + value(repeated.condition) + ");\n");
        }
        final Java.ForStatement counted = (Java.ForStatement)loop;
        final String updates = counted.update == null ? "" :
            Stream.of(counted.update).map(MethodSplitter::value).collect(Collectors.joining(", "));
        // Its declarations precede it: they have a unique name, or are in their own block.
        final String first = counted.init == null ? "" : statement(counted.init).text;
        return around("{\n" + first + "for (; " + (counted.condition == null ? "" : value(counted.condition)) + "; " +
            updates + ") ", closed, "}\n");
    }

    private Text attempt(final Java.TryStatement attempt)
    {
        final List<Text> texts = new ArrayList<>();
        texts.add(around("try ", block(attempt.body), ""));
        for (final Java.CatchClause clause : attempt.catchClauses)
        {
            final AbruptExits leaving = new AbruptExits();
            leaving.visitBlockStatement(clause.body);
            texts.add(new Text("catch (" + clause.catchParameter + ") " +
                text(unparser -> unparser.unparseBlockStatement(clause.body)) + '\n', leaving.isFound(), false));
        }
        if (attempt.finallY != null)
        {
            texts.add(around("finally ", block(attempt.finallY), ""));
        }
        return joined(texts);
    }
}
