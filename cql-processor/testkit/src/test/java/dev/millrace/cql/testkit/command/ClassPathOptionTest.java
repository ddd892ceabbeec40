package dev.millrace.cql.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Statements that call classes of a class path. */
@Timeout(60)
class ClassPathOptionTest
{
    private static final String CALL = "select com.acme.Doubler.twice(symbol) as twice from S";

    @TempDir
    private Path folder;

    /** A class that only the class path of the command contains. */
    private String classes() throws IOException
    {
        final Path source = folder.resolve("Doubler.java");
        Files.writeString(source, "package com.acme;\npublic class Doubler\n{\n" +
            "  public static String twice(String text) { return text + text; }\n}\n");
        final Path target = Files.createDirectories(folder.resolve("classes"));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", target.toString(),
            source.toString())).isZero();
        return target.toString();
    }

    @Test
    void shouldFindClassesForRunAndExplain() throws IOException
    {
        final ToolHarness tool = new ToolHarness(folder);
        final String file = tool.file("call.cql", CALL);
        final ClassLoader before = Thread.currentThread().getContextClassLoader();
        tool.run("run", file, "--stream", "S=" + tool.file("s.csv", "AA", "BB") + ":symbol char", "--classpath",
            classes());
        assertThat(tool.out().lines()).containsExactly("q1 1 + AAAA", "q1 2 + BBBB");
        assertThat(tool.exit()).isZero();
        tool.run("explain", file, "--stream", "S:symbol char", "--classpath", classes());
        assertThat(tool.out()).contains("twice");
        assertThat(tool.exit()).isZero();
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    @Test
    void shouldKnowNoClassesOfUsersWithoutIt() throws IOException
    {
        final ToolHarness tool = new ToolHarness(folder);
        tool.run("run", tool.file("call.cql", CALL), "--stream", "S=" + tool.file("s.csv", "AA") + ":symbol char");
        assertThat(tool.err()).contains("CQL-2014");
        assertThat(tool.exit()).isEqualTo(1);
    }

    @Test
    void shouldFindClassesForCases() throws IOException
    {
        final ToolHarness tool = new ToolHarness(folder);
        final String file = tool.file("case.yaml", "name: call", "origin: own", "feature: java",
            "streams:", "  S: {kind: stream, schema: \"symbol char(4)\"}",
            "queries:", "  - {id: q1, kind: query, text: \"" + CALL + "\"}",
            "input: |", "  1000 S + ab", "expect:", "  q1: |", "    1000 + abab", "ordered: true");
        tool.run("test", file, "--classpath", classes());
        assertThat(tool.out()).endsWith("1 passed, 0 failed\n");
    }

    @Test
    void shouldRefusePathsThatDoNotExist() throws IOException
    {
        final ToolHarness tool = new ToolHarness(folder);
        tool.run("run", tool.file("call.cql", CALL), "--stream", "S:symbol char", "--classpath", "nowhere.jar");
        assertThat(tool.err()).contains("CMD-0312", "nowhere.jar");
        assertThat(tool.exit()).isEqualTo(1);
    }
}
