/* Does a file say whose it is? */
#ifndef TEST_FILES_TITLE_H
#define TEST_FILES_TITLE_H

/* Fails where the file has the title neither in letters nor, as VTK's texts are, in their codes. */
void assert_carries_title(const char *path, const char *title);

#endif
