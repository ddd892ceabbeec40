package dev.millrace.assembly.xml;

/** Problems of XML as such, with the codes that users see. */
public enum XmlCode
{
    /** Not well-formed XML, or not in the encoding it declares: correct the file at the given place. */
    MALFORMED("EPN-1101"),
    /** A DOCTYPE or another declaration: remove it, grammars and entities are never needed. */
    DOCTYPE("EPN-1102"),
    /** A limit on size, depth or numbers was crossed: split the file. */
    LIMIT("EPN-1103"),
    /** The file could not be read at all: check that it is in the bundle. */
    UNREADABLE("EPN-1104"),
    /** The document does not follow its schema: correct the file at the given place. */
    INVALID("EPN-1105");

    private final String code;

    XmlCode(final String code)
    {
        this.code = code;
    }

    /**
     * The stable code.
     *
     * @return for example {@code EPN-1101}
     */
    public String code()
    {
        return code;
    }
}
