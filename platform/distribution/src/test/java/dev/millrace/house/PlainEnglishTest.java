package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages, comments and messages of main sources use none of the phrases of odd-phrases.txt. */
@Timeout(120)
class PlainEnglishTest
{
    private static final Pattern PROSE =
        Pattern.compile("/\\*.*?\\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"", Pattern.DOTALL);
    /** Quotes in a page: names, commands and what another product calls a thing. */
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]*`", Pattern.DOTALL);

    /**
     * A phrase.
     *
     * @param instead what to write instead
     */
    private record Phrase(Pattern pattern, String instead)
    {
    }

    private static final List<Phrase> PHRASES = phrases();

    private static List<Phrase> phrases()
    {
        final Path list = SourceTree.root().resolve("platform/distribution/src/test/resources/odd-phrases.txt");
        return SourceTree.read(list).lines().filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.split("\t"))
            .map(parts -> new Phrase(Pattern.compile(parts[0], Pattern.MULTILINE), parts[1])).toList();
    }

    private static void check(final String source, final String prose, final List<String> found)
    {
        for (final Phrase phrase : PHRASES)
        {
            for (final Matcher hit = phrase.pattern().matcher(prose); hit.find();)
            {
                found.add(source + ": \"" + hit.group().strip() + "\", write " + phrase.instead());
            }
        }
    }

    @Test
    void shouldFindNoOddPhraseInPages()
    {
        final List<String> found = new ArrayList<>();
        final List<Path> pages = SourceTree.files(SourceTree.root(), each -> each.toString().endsWith(".md"));
        pages.forEach(page ->
            check(SourceTree.name(page), CODE.matcher(SourceTree.read(page)).replaceAll("code"), found));

        assertThat(pages).hasSizeGreaterThan(30);
        assertThat(found).isEmpty();
    }

    @Test
    void shouldFindNoOddPhraseInCommentsAndMessages()
    {
        final List<String> found = new ArrayList<>();
        int files = 0;
        for (final String module : SourceTree.modules())
        {
            for (final Path file : SourceTree.java(module + "/src/main"))
            {
                files++;
                for (final Matcher part = PROSE.matcher(SourceTree.read(file)); part.find();)
                {
                    // A literal without a space is a name or a format.
                    if (part.group().indexOf(' ') > 0)
                    {
                        check(SourceTree.name(file), part.group(), found);
                    }
                }
            }
        }

        assertThat(files).isGreaterThan(1_000);
        assertThat(found).isEmpty();
    }

    @Test
    void shouldFindEachPhraseThatTheListDescribes()
    {
        final List<String> found = new ArrayList<>();
        check("example", "Makes a table that lets rows go. Who starts it hears of nobody, for ever.", found);

        assertThat(found).hasSize(6).allMatch(each -> each.startsWith("example: \"") && each.contains("\", write "));
    }
}
