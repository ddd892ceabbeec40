package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything in docs/glossary.md is used, and identifiers that it does not want do not return. */
@Tag("slow")
@Timeout(180)
class GlossaryTest
{
    private static final Pattern TERM = Pattern.compile("(?m)^\\| ([^|]+) \\| ([^|]+) \\| ([^|]*) \\| [^|]* \\|$");
    private static final Pattern BANNED = Pattern.compile("(?m)^\\| `([^`|]+)` \\| [^|]+ \\|$");
    private static final Pattern IDENTIFIER = Pattern.compile("`([^`]+)`");

    private static String glossary;
    /** Main sources and pages, except for the glossary. */
    private static String everything;
    private static String names;

    @BeforeAll
    static void read()
    {
        final StringBuilder text = new StringBuilder();
        final StringBuilder files = new StringBuilder("\n");
        for (final String module : SourceTree.modules())
        {
            for (final Path file : SourceTree.files(SourceTree.root().resolve(module + "/src/main"), each -> true))
            {
                if (file.toString().endsWith(".java") || file.toString().endsWith(".xsd"))
                {
                    text.append(SourceTree.read(file)).append('\n');
                    files.append(file.getFileName().toString().replaceAll("\\..*", "")).append('\n');
                }
            }
        }
        for (final Path file : SourceTree.files(SourceTree.root(), each -> each.toString().endsWith(".md")))
        {
            if (!file.endsWith("docs/glossary.md"))
            {
                text.append(SourceTree.read(file)).append('\n');
            }
        }
        glossary = SourceTree.read(SourceTree.root().resolve("docs/glossary.md"));
        everything = text.toString();
        names = files.toString();
    }

    @Test
    void shouldUseEveryTerm()
    {
        final String lower = everything.toLowerCase(Locale.ROOT);
        final List<String> unused = new ArrayList<>();
        int terms = 0;
        for (final Matcher row = TERM.matcher(glossary); row.find();)
        {
            for (final String part : row.group(1).split("[,;]"))
            {
                final String term = part.strip().toLowerCase(Locale.ROOT);
                terms++;
                // A term with a placeholder is used with many words in its place.
                final String words = term.replaceAll(" x .*", "");
                if (!term.equals("term") && !term.startsWith("---") && !lower.contains(words) &&
                    !lower.contains(words.replace(" ", "")))
                {
                    unused.add(term);
                }
            }
        }
        assertThat(terms).isGreaterThan(50);
        assertThat(unused).as("terms that no source and no page uses").isEmpty();
    }

    @Test
    void shouldNameIdentifiersThatExist()
    {
        final List<String> missing = new ArrayList<>();
        for (final Matcher row = TERM.matcher(glossary); row.find();)
        {
            for (final Matcher name = IDENTIFIER.matcher(row.group(3)); name.find();)
            {
                final String last = name.group(1).replaceAll(".*\\.", "");
                if (!Pattern.compile("\\b" + Pattern.quote(last) + "\\b").matcher(everything).find())
                {
                    missing.add(row.group(1) + ": " + name.group(1));
                }
            }
        }
        assertThat(missing).as("identifiers of the glossary that do not exist").isEmpty();
    }

    @Test
    void shouldNotUseBannedNames()
    {
        final List<String> used = new ArrayList<>();
        int banned = 0;
        for (final Matcher row = BANNED.matcher(glossary); row.find();)
        {
            banned++;
            if (names.contains('\n' + row.group(1) + '\n'))
            {
                used.add(row.group(1));
            }
        }
        assertThat(banned).isGreaterThan(20);
        assertThat(used).as("types with names that docs/glossary.md bans").isEmpty();
    }
}
