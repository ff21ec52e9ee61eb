/* What the name of a label means: a bone and a side, in several languages and spellings. */
#include <string.h>

#include <synovia/image.h>

/* ---- words --------------------------------------------------------------------------------------------------------
 */

/* A name in lower case, its words apart by one blank, with a blank at both ends. Accents are dropped ("Hüftbein" is
 * " huftbein "), for they come and go on the way through file names. */
enum { LONGEST = 192 };

typedef struct plain_name {
  char text[LONGEST];
  size_t length;
} plain_name;

static void put_letter(plain_name *plain, char letter) {
  if (letter == ' ' && plain->text[plain->length - 1] == ' ') return;
  if (plain->length + 2 < LONGEST) plain->text[plain->length++] = letter;
}

/* The letter without accent of the second byte of U+00C0 … U+00FF; 0 for the two signs among them. */
static char without_accent(unsigned char second) {
  static const char letters[] = "aaaaaaaceeeeiiiidnooooo\0ouuuuytsaaaaaaaceeeeiiiidnooooo\0ouuuuyty";
  return letters[second & 0x3f];
}

/* One character of UTF-8 beyond ASCII; returns how many bytes it has. */
static size_t put_wide(plain_name *plain, const unsigned char *at) {
  if (at[0] == 0xc3 && at[1] >= 0x80 && at[1] < 0xc0) {
    const char letter = without_accent(at[1]);
    put_letter(plain, letter ? letter : ' ');
    return 2;
  }
  if (at[0] == 0xcc && (at[1] & 0xc0) == 0x80) return 2; /* an accent by itself, as macOS writes file names */
  if (at[0] == 0xd0 && at[1] >= 0x90 && at[1] <= 0xaf) { /* Cyrillic capitals */
    const unsigned char low = (unsigned char)(at[1] + 0x20);
    put_letter(plain, (char)(low < 0xc0 ? 0xd0 : 0xd1));
    put_letter(plain, (char)(low < 0xc0 ? low : low - 0x40));
    return 2;
  }
  if (at[0] == 0xe2 && at[1] == 0x80 && at[2]) { /* dashes and quotation marks */
    put_letter(plain, ' ');
    return 3;
  }
  put_letter(plain, (char)at[0]);
  return 1;
}

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/* Length of an article with its apostrophe, which is no "l" of left: "corps de l'humerus". 0: none begins here. */
static size_t article_length(const plain_name *plain, const char *at) {
  if (plain->text[plain->length - 1] != ' ' || !strchr("lLdD", at[0])) return 0;
  return at[1] == '\'' ? 2 : strncmp(at + 1, "\xe2\x80\x99", 3) == 0 ? 4 : 0;
}

/* "FemurLeft" and "femurL" have two words. Digits end a word and count for nothing: "hip2" is a hip. */
static plain_name make_plain(const char *name) {
  plain_name plain = {.text = " ", .length = 1};
  for (size_t i = 0; name[i];) {
    const size_t article = article_length(&plain, name + i);
    i += article;
    if (article) continue;
    if ((unsigned char)name[i] >= 0x80) {
      i += put_wide(&plain, (const unsigned char *)name + i);
      continue;
    }
    if (i > 0 && is_upper(name[i]) && is_lower(name[i - 1])) put_letter(&plain, ' ');
    put_letter(&plain, is_upper(name[i]) ? (char)(name[i] - 'A' + 'a') : is_lower(name[i]) ? name[i] : ' ');
    ++i;
  }
  put_letter(&plain, ' ');
  plain.text[plain.length] = 0;
  return plain;
}

/* Is `word` in the name: as a word or several, or, where it is of a language without blanks, anywhere? */
static bool contains(const plain_name *plain, const char *word) {
  const size_t length = strlen(word);
  const bool anywhere = (unsigned char)word[0] >= 0xe0;
  for (const char *at = plain->text; (at = strstr(at, word)) != NULL; ++at)
    if (anywhere || (at[-1] == ' ' && at[length] == ' ')) return true;
  return false;
}

/* ---- bones --------------------------------------------------------------------------------------------------------
 */

typedef struct bone_words {
  const char *part;
  bool sided;
  const char *const *words; /* without accents */
} bone_words;
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* English and Latin, German, French, Spanish and Portuguese, Italian, Russian, Chinese, Japanese. */
static const bone_words bones[] = {
    {"femur", true,
     WORDS("femur", "femurs", "os femoris", "thigh bone", "thighbone", "oberschenkelknochen", "oberschenkelbein",
           "femore", "бедренная", "股骨", "大腿骨")},
    {"hip_bone", true,
     WORDS("hip", "hips", "hip bone", "hipbone", "innominate", "os coxae", "coxae", "coxa", "hemipelvis", "hemi pelvis",
           "huftbein", "hueftbein", "huftknochen", "hueftknochen", "hufte", "huefte", "os coxal", "coxal", "os iliaque",
           "osso dell anca", "anca", "quadril", "cadera", "тазовая", "髋骨", "髖骨", "寛骨")},
    {"pelvis", false,
     WORDS("pelvis", "pelvic bone", "pelvic bones", "pelvic girdle", "bony pelvis", "becken", "beckenknochen", "bassin",
           "bacino", "таз", "骨盆", "骨盤")},
    {"sacrum", false, WORDS("sacrum", "os sacrum", "sacral bone", "kreuzbein", "sacro", "крестец", "骶骨", "仙骨")},
    {"coccyx", false, WORDS("coccyx", "steissbein", "steisbein", "steibein", "coccige", "尾骨")},
    {"tibia", true, WORDS("tibia", "tibias", "shin bone", "shinbone", "schienbein", "большеберцовая", "胫骨", "脛骨")},
    {"fibula", true, WORDS("fibula", "fibulas", "wadenbein", "perone", "малоберцовая", "腓骨")},
    {"patella", true,
     WORDS("patella", "patellas", "kneecap", "knee cap", "kniescheibe", "rotule", "rotula", "надколенник", "髌骨",
           "膝蓋骨")},
    {"talus", true, WORDS("talus", "sprungbein", "astragale", "astragalo", "距骨")},
    {"calcaneus", true,
     WORDS("calcaneus", "calcaneum", "heel bone", "fersenbein", "calcagno", "calcaneo", "跟骨", "踵骨")},
    {"humerus", true, WORDS("humerus", "oberarmknochen", "omero", "humero", "umero", "плечевая", "肱骨", "上腕骨")},
    {"scapula", true,
     WORDS("scapula", "scapulas", "shoulder blade", "schulterblatt", "omoplate", "escapula", "лопатка", "肩胛骨",
           "肩甲骨")},
    {"clavicle", true,
     WORDS("clavicle", "clavicula", "collar bone", "collarbone", "schlusselbein", "schluesselbein", "clavicule",
           "clavicola", "ключица", "锁骨", "鎖骨")},
    {"radius", true, WORDS("radius", "speiche", "桡骨", "橈骨")},
    {"ulna", true, WORDS("ulna", "elle", "cubitus", "尺骨")},
    {"mandible", false, WORDS("mandible", "mandibula", "lower jaw", "unterkiefer", "mandibule", "下颌骨", "下顎骨")},
};

/* With one of these words the name is of something else, or of a piece of the bone. */
static const char *const others[] = {
    "artery",  "arteries", "vein",    "veins",   "nerve",      "muscle",      "muscles",   "cartilage",
    "labrum",  "ligament", "capsule", "tendon",  "joint",      "skin",        "fat",       "marrow",
    "implant", "implants", "stem",    "cup",     "prosthesis", "screw",       "plate",     "head",
    "vastus",  "rectus",   "biceps",  "flexor",  "flexors",    "fracture",    "lesion",    "tumor",
    "arterie", "vene",     "muskel",  "knorpel", "gelenk",     "prothese",    "implantat", "kopf",
    "tete",    "testa",    "cabeza",  "artere",  "veine",      "cartilagine", "floor",     NULL};

/* ---- sides --------------------------------------------------------------------------------------------------------
 */

static const char *const side_words[SYN_SIDES][40] = {
    [SYN_SIDE_RIGHT] = {"right",   "r",      "rt",     "re",      "rechts",  "rechte", "rechter", "rechtes", "rechten",
                        "droit",   "droite", "dexter", "dextra",  "dextrum", "dx",     "destro",  "destra",  "derecho",
                        "derecha", "dcho",   "dcha",   "direito", "direita", "правая", "правый",  "правое",  "prawy",
                        "prawa",   "hoger",  "hogra",  "hojre",   "hoyre",   "右"},
    [SYN_SIDE_LEFT] = {"left",     "l",        "lt",        "li",        "links",    "linke",     "linker",
                       "linkes",   "linken",   "gauche",    "sinister",  "sinistra", "sinistrum", "sin",
                       "sx",       "sinistro", "izquierdo", "izquierda", "izq",      "izqdo",     "izqda",
                       "esquerdo", "esquerda", "левая",     "левый",     "левое",    "lewy",      "lewa",
                       "vanster",  "venstre",  "左"},
};

/* "femurleft", "lfemur": a side without a blank between. Only sides that cannot be the end of another word count as
 * such behind the bone. */
static bool is_glued(const plain_name *plain, const char *word, const char *side) {
  char joined[64];
  const size_t a = strlen(word), b = strlen(side);
  if (a + b + 3 > sizeof joined || (unsigned char)side[0] >= 0x80) return false;
  for (int before = 0; before < 2; ++before) {
    if (!before && b < 2 && a < 5) continue; /* "hipl" may be anything */
    memcpy(joined + (before ? b : 0), word, a);
    memcpy(joined + (before ? 0 : a), side, b);
    joined[a + b] = 0;
    if (contains(plain, joined)) return true;
  }
  return false;
}

/* The side named; both, or none: SYN_SIDES. `bone` may be NULL. */
static syn_side find_side(const plain_name *plain, const char *bone) {
  bool named[SYN_SIDES] = {false};
  for (int side = 0; side < SYN_SIDES; ++side)
    for (const char *const *word = side_words[side]; *word && !named[side]; ++word)
      named[side] = bone ? is_glued(plain, bone, *word) : contains(plain, *word);
  return named[SYN_SIDE_RIGHT] == named[SYN_SIDE_LEFT] ? SYN_SIDES
         : named[SYN_SIDE_LEFT]                        ? SYN_SIDE_LEFT
                                                       : SYN_SIDE_RIGHT;
}

/* ---- both ---------------------------------------------------------------------------------------------------------
 */

/* The bone that is named, and its side where both are one word. The longest word wins. */
static const bone_words *find_bone(const plain_name *plain, syn_side *side) {
  const bone_words *found = NULL;
  size_t longest = 0;
  for (size_t i = 0; i < sizeof bones / sizeof *bones; ++i)
    for (const char *const *word = bones[i].words; *word; ++word) {
      const size_t length = strlen(*word);
      if (length <= longest) continue;
      const syn_side glued = find_side(plain, *word);
      if (glued == SYN_SIDES && !contains(plain, *word)) continue;
      found = &bones[i];
      longest = length;
      *side = glued;
    }
  return found;
}

void syn_image_part_find(const char *name, const char **part, syn_side *side) {
  *part = NULL;
  *side = SYN_SIDES;
  const plain_name plain = make_plain(name);
  for (const char *const *other = others; *other; ++other)
    if (contains(&plain, *other)) return;
  syn_side glued = SYN_SIDES;
  const bone_words *bone = find_bone(&plain, &glued);
  if (!bone) return;
  const syn_side named = find_side(&plain, NULL);
  *side = glued != SYN_SIDES ? glued : named;
  *part = bone->part;
  if (strcmp(bone->part, "pelvis") == 0 && *side != SYN_SIDES)
    *part = "hip_bone"; /* "left pelvis" is half of it */
  else if (!bone->sided)
    *side = SYN_SIDES;
}
