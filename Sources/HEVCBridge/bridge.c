#include "livephoto_hevc.h"
